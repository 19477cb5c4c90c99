"""Mails to people: paragraphs, rendered as plain text and as HTML."""

import html
from dataclasses import dataclass

from acredita.domain.languages import Language, PersonLanguage
from acredita.providers.email import Email

# Inline styles, because mail programs drop style sheets.
_PAGE = """\
<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><title>{subject}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#1c2430;\
font:16px/1.5 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:8px">
{content}
</div>
</body>
</html>
"""
_PARAGRAPH = '<p style="margin:0 0 16px">{}</p>'
_BUTTON = (
    '<p style="margin:24px 0"><a href="{url}" style="display:inline-block;padding:12px 20px;'
    'background:#1a56db;color:#fff;border-radius:6px;text-decoration:none">{label}</a></p>'
    '<p style="margin:0 0 16px;font-size:13px;color:#5b6472;word-break:break-all">{url}</p>'
)


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail in one language. `action`: (label, URL) of its button."""

    language: Language | PersonLanguage
    subject: str
    before: tuple[str, ...]
    action: tuple[str, str] | None = None
    after: tuple[str, ...] = ()

    def to(self, address: str) -> Email:
        """Render the mail. All texts are escaped, because they may contain customers' names."""
        return Email(address, " ".join(self.subject.split()), self._text(), self._html())

    def _text(self) -> str:
        paragraphs = [*self.before]
        if self.action is not None:
            label, url = self.action
            paragraphs.append(f"{label}:\n{url}")
        return "\n\n".join([*paragraphs, *self.after]) + "\n"

    def _html(self) -> str:
        content = [_PARAGRAPH.format(html.escape(paragraph)) for paragraph in self.before]
        if self.action is not None:
            label, url = self.action
            content.append(_BUTTON.format(label=html.escape(label), url=html.escape(url)))
        content += [_PARAGRAPH.format(html.escape(paragraph)) for paragraph in self.after]
        return _PAGE.format(
            language=self.language.value,
            subject=html.escape(self.subject),
            content="\n".join(content),
        )
