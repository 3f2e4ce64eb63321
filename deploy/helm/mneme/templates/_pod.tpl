{{- define "mneme.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag }}{{ end }}
{{- end }}

{{- define "mneme.labels" -}}
app.kubernetes.io/name: mneme
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* The members of a pod that servers and workers have in common. */}}
{{- define "mneme.pod" -}}
securityContext: { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
volumes: [{ name: temporary, emptyDir: {} }]
{{- end }}

{{/* The members of a container that servers and workers have in common; `env` continues with what differs. */}}
{{- define "mneme.container" -}}
image: {{ include "mneme.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
envFrom: [{ secretRef: { name: {{ .Values.secret | quote }} } }]
securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
volumeMounts: [{ name: temporary, mountPath: /tmp }]
env:
{{- range $name, $value := .Values.settings }}
  - { name: {{ $name | quote }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
