{{- define "dcsim.appName" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- /* Short enough for the names of dashboards and rules behind it. */}}
{{- define "dcsim.name" -}}
{{- $app := include "dcsim.appName" . }}
{{- $name := printf "%s-%s" .Release.Name $app }}
{{- if contains $app .Release.Name }}{{ $name = .Release.Name }}{{ end }}
{{- .Values.fullnameOverride | default $name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "dcsim.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "dcsim.name" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- define "dcsim.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{- define "dcsim.selector" -}}
app.kubernetes.io/name: {{ include "dcsim.appName" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dcsim.commonLabels" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "dcsim.labels" -}}
{{ include "dcsim.selector" . }}
{{ include "dcsim.commonLabels" . }}
{{- end }}

{{- /* The address of the Service within the cluster. */}}
{{- define "dcsim.url" -}}
{{- printf "http://%s.%s.svc:%v" (include "dcsim.name" .) .Release.Namespace .Values.service.port }}
{{- end }}

{{- /* Host names of the proxies that are enabled, as JSON. */}}
{{- define "dcsim.proxyHosts" -}}
{{- $hosts := list }}
{{- if .Values.ingress.enabled }}{{ $hosts = concat $hosts .Values.ingress.hosts }}{{ end }}
{{- if .Values.httpRoute.enabled }}{{ $hosts = concat $hosts .Values.httpRoute.hostnames }}{{ end }}
{{- toJson $hosts }}
{{- end }}

{{- /* Every name by which the Service is called, and the address of the pod, which Prometheus and the kubelet use. */}}
{{- define "dcsim.hosts" -}}
{{- $name := include "dcsim.name" . }}
{{- $own := list "$(POD_IP)" $name }}
{{- range list "" ".svc" ".svc.cluster.local" }}
{{- $own = append $own (printf "%s.%s%s" $name $.Release.Namespace .) }}
{{- end }}
{{- concat $own (include "dcsim.proxyHosts" . | fromJsonArray) .Values.allowedHosts | uniq | join "," }}
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

{{- /* Hosts of a scale; an upstream, whose scale is not known here, counts as medium. */}}
{{- define "dcsim.scaleHosts" -}}
{{- get (dict "small" 24 "medium" 120 "large" 1000) (toString .) | default . }}
{{- end }}

{{- /* As docs/kubernetes.md lists it: the front, a process for each session, and what hosts add to it. */}}
{{- define "dcsim.resources" -}}
{{- if .Values.resources }}
{{- toYaml .Values.resources }}
{{- else }}
{{- $memory := 80 }}
{{- range .Values.sessions }}
{{- $scale := dig "scale" ($.Values.env.DCSIM_SCALE | default "medium") (.settings | default dict) }}
{{- $hosts := int (include "dcsim.scaleHosts" $scale) }}
{{- $memory = add $memory 160 (div (min $hosts 1000) 5) (div (max (sub $hosts 1000) 0) 12) }}
{{- end -}}
requests:
  cpu: 100m
  memory: {{ $memory }}Mi
limits:
  cpu: {{ add 1 (len .Values.sessions) }}
  memory: {{ mul 2 $memory }}Mi
{{- end }}
{{- end }}

{{- define "dcsim.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "dcsim.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end }}

{{- /* Which instances of Grafana import a resource of the grafana-operator. */}}
{{- define "dcsim.grafanaInstances" -}}
instanceSelector:
  {{- toYaml .Values.grafanaOperator.instanceSelector | nindent 2 }}
allowCrossNamespaceImport: {{ .Values.grafanaOperator.allowCrossNamespaceImport }}
{{- end }}
