{{- define "dcsim.name" -}}
{{- $name := printf "%s-%s" .Release.Name .Chart.Name }}
{{- if contains .Chart.Name .Release.Name }}{{ $name = .Release.Name }}{{ end }}
{{- $name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "dcsim.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dcsim.labels" -}}
{{ include "dcsim.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* Every name by which the Service is called, and the address of the pod, which Prometheus and the kubelet use. */}}
{{- define "dcsim.hosts" -}}
{{- $name := include "dcsim.name" . }}
{{- $own := list "$(POD_IP)" $name }}
{{- range list "" ".svc" ".svc.cluster.local" }}
{{- $own = append $own (printf "%s.%s%s" $name $.Release.Namespace .) }}
{{- end }}
{{- concat $own .Values.allowedHosts | join "," }}
{{- end }}

{{- /* Helm reads numbers as floating-point ones, and would write a million as 1e+06. */}}
{{- define "dcsim.text" -}}
{{- if kindIs "string" . }}{{ . }}{{ else }}{{ toJson . }}{{ end }}
{{- end }}

{{- /* A session as an item of DCSIM_SESSIONS. */}}
{{- define "dcsim.session" -}}
{{- $settings := list }}
{{- range $key, $value := .settings }}
{{- $settings = append $settings (printf "%s=%s" $key (include "dcsim.text" $value | urlquery | replace "+" "%20")) }}
{{- end }}
{{- .name }}={{ .source }}{{ if $settings }}?{{ join "&" $settings }}{{ end }}
{{- end }}

{{- define "dcsim.sessions" -}}
{{- $sessions := list }}
{{- range .Values.sessions }}
{{- $sessions = append $sessions (include "dcsim.session" .) }}
{{- end }}
{{- join "," $sessions }}
{{- end }}
