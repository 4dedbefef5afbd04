// Alert rules, recording rules and dashboards as a mixin. docs/mixin.md describes _config.
local manifests = std.parseYaml(importstr '../../alerts/generated/prometheus-rule.yaml');
local dashboards = import 'dashboards.libsonnet';
local identity = import 'identity.libsonnet';

{
  _config+:: {
    // The job under which Prometheus scrapes the mirror.
    job: 'dcsim',
    // Labels that identify a target besides job, instance and session, such as ['cluster'].
    identity: [],
    // Where Grafana and the runbooks are: alerts link to them.
    grafana: 'http://127.0.0.1:3000',
    runbooks: 'http://127.0.0.1:9740/runbooks',
    // Labels that every alert gets.
    labels: {},
    // Names of alerts to leave out.
    off: [],
  },

  local config = self._config,
  local replaced(text) = std.foldl(
    function(text, pair) std.strReplace(text, pair[0], pair[1]),
    [
      ['job="dcsim"', 'job="%s"' % config.job],
      ['"http://127.0.0.1:3000', '"' + config.grafana],
    ],
    identity.text(text, config.identity)
  ),
  local alert(rule) = rule {
    expr: replaced(rule.expr),
    labels: config.labels + rule.labels,
    annotations: std.mapWithKey(
      function(name, text)
        if name == 'dashboard_url' then std.strReplace(identity.url(text, config.identity), 'http://127.0.0.1:3000', config.grafana)
        else if name == 'runbook_url' then std.strReplace(text, 'http://127.0.0.1:9740/runbooks', config.runbooks)
        else replaced(text),
      rule.annotations
    ),
  },
  local recording(rule) = rule { expr: replaced(rule.expr) },
  // Groups with what is left of their rules, without those that have none.
  local groups(isWanted, changed) = [
    group
    for manifest in manifests
    for given in manifest.spec.groups
    for group in [given { rules: [changed(rule) for rule in given.rules if isWanted(rule)] }]
    if group.rules != []
  ],

  prometheusAlerts+:: {
    groups: groups(function(rule) std.objectHas(rule, 'alert') && !std.member(config.off, rule.alert), alert),
  },
  prometheusRules+:: {
    groups: groups(function(rule) std.objectHas(rule, 'record'), recording),
  },
  grafanaDashboards+:: std.mapWithKey(
    function(name, dashboard) identity.dashboard(dashboard, config.identity),
    dashboards
  ),
}
