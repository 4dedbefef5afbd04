// Further labels that identify a target. Rules and dashboards list the labels of a target in one form each, behind which
// these are inserted; alerts/identity.ts and dashboards/identity.ts do the same for the generated files.
local chosen = 'job=~"$job", instance=~"$instance", session="$session"';
local chosenInLinks = '${session:queryparam}';
local selector = 'job=%q, instance=%q, session=%q';
local values = '$labels.job $labels.instance $labels.session';
local sessionInUrl = 'var-session={{ $labels.session | urlquery }}';

// std.strReplace is far slower.
local replace(text, from, to) = std.join(to, std.split(text, from));
local replaceAll(text, pairs) = std.foldl(function(text, pair) replace(text, pair[0], pair[1]), pairs, text);

local text(given, added) =
  if added == [] then given
  else
    local list = std.join(', ', added);
    replaceAll(given, [
      ['%s (job, instance, session%s' % [word, end], '%s (job, instance, session, %s%s' % [word, list, end]]
      for word in ['by', 'on']
      for end in [',', ')']
    ] + [
      [selector, selector + std.join('', [', %s=%%q' % label for label in added])],
      [values, values + std.join('', [' $labels.' + label for label in added])],
    ]);

// The text of a dashboard, with matchers of the added labels.
local shown(given, added) =
  local quoted(text) = replace(text, '"', '\\"');
  replaceAll(text(given, added), [
    [quoted(chosen), quoted(chosen + std.join('', [', %s="$%s"' % [label, label] for label in added]))],
    [chosenInLinks, chosenInLinks + std.join('', ['&${%s:queryparam}' % label for label in added])],
    // Columns that tables leave out are named in an object.
    ['"session": true', std.join(', ', ['"%s": true' % label for label in ['session'] + added])],
  ]);

// A variable that chooses the value of an added label, like that of the session.
local variable(session, added, at) =
  local label = added[at];
  local earlier = std.join('', [', %s="$%s"' % [name, name] for name in added[:at]]);
  local query = 'label_values(dcsim_sim_info{%s%s}, %s)' % [chosen, earlier, label];
  session {
    name: label,
    label: label,
    description: 'The %s of the session.' % label,
    // Hidden: the values are those of a label, in their own order.
    regex:: '',
    sort: 7,
    query: query,
    definition: query,
  };

{
  text: text,

  url(given, added):: replace(
    given,
    sessionInUrl,
    sessionInUrl + std.join('', ['&var-%s={{ $labels.%s | urlquery }}' % [label, label] for label in added])
  ),

  dashboard(given, added)::
    if added == [] then std.parseJson(given)
    else
      local dashboard = std.parseJson(shown(given, added));
      // The dashboard that compares sessions shows those of all values.
      local sessions = [one for one in dashboard.templating.list if one.name == 'session'];
      local variables = [
        variable(sessions[0], added, at)
        for at in std.range(0, std.length(added) - 1)
        if sessions != []
      ];
      dashboard {
        templating+: {
          list: std.flatMap(
            function(one) [one] + (if one.name == 'instance' then variables else []),
            dashboard.templating.list
          ),
        },
      },
}
