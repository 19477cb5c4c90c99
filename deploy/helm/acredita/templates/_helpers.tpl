{{- define "acredita.name" -}}
{{- if contains "acredita" .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-acredita" (.Release.Name | trunc 31 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{- define "acredita.selector" -}}
app.kubernetes.io/name: acredita
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "acredita.labels" -}}
{{ include "acredita.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "acredita.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end -}}

{{- define "acredita.secret" -}}
{{ required "existingSecret: name a Secret with the secret settings" .Values.existingSecret }}
{{- end -}}

{{- define "acredita.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
volumes:
  - name: tmp
    emptyDir: {sizeLimit: 1Gi}
  - name: files
    {{- if .Values.files.existingClaim }}
    persistentVolumeClaim: {claimName: {{ .Values.files.existingClaim }}}
    {{- else }}
    {{- if not .Values.settings.ACREDITA_STORAGE_URL }}
    {{- fail "settings.ACREDITA_STORAGE_URL: name a bucket (s3://…), or a volume in files.existingClaim; otherwise files end with their pod" }}
    {{- end }}
    emptyDir: {sizeLimit: 1Gi}
    {{- end }}
{{- end -}}

{{- define "acredita.container" -}}
image: {{ include "acredita.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: tmp, mountPath: /tmp}
  - {name: files, mountPath: /var/lib/acredita}
{{- end -}}

{{- define "acredita.env" -}}
env:
  - {name: ACREDITA_ENV, value: production}
  - {name: ACREDITA_METRICS_HOST, value: 0.0.0.0}
  - {name: ACREDITA_METRICS_PORT, value: "9464"}
  {{- range $name, $value := .Values.settings }}
  {{- if eq $name "ACREDITA_BASE_URL" }}
  {{- $_ := required "settings.ACREDITA_BASE_URL: set it to the public https address" $value }}
  {{- end }}
  {{- /* An empty value would hide the Secret's. */ -}}
  {{- if ne (toString $value) "" }}
  - {name: {{ $name }}, value: {{ $value | toString | quote }}}
  {{- end }}
  {{- end }}
{{- end -}}

{{- /* Not empty if workers decode uploads for the API. */ -}}
{{- define "acredita.inspection" -}}
{{- range .Values.workers }}{{ if .inspection }}yes{{ end }}{{ end -}}
{{- end -}}
