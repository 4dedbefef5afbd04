/** The description of the service as a whole, in Markdown, a chapter a paragraph. */
export const overview = `A read-only view of one running simulation of a data-center operations game. Every
operation is a GET (or HEAD); nothing changes the world, and no credential is asked for or looked at.

**Mirror.** Responses come from a snapshot of the world that is published on a cadence (1 s by default).
Publishing continues only while a client reads; it pauses after a minute without a request. The request that ends a
pause is answered immediately, from the old snapshot and with its true age, and starts a publish. The world itself
never pauses.

**Freshness.** The first member of every JSON body, errors included, is \`meta\`: the age of the snapshot
(\`age_ms\`, from the capture of the world's state to the writing of the response), the number of its publish
(\`publish_seq\`, from 1, incremented by 1) and its simulated time (\`sim_time_ns\`). The
headers \`X-Sim-Age-Ms\` and \`X-Sim-Publish-Seq\` say the same on every response of any status or type. All
of one response is from one publish. Before the first publish the three are 0. This description itself and the
tables are the JSON bodies without \`meta\`, because their formats have no place for it.

**Numbers.** An integer is printed without fraction or exponent and keeps all its digits. Ids, \`*_ns\` and totals
may pass 2^53, so read them with a parser that keeps 64 bits. Other numbers are the shortest decimals that read back
the same.

**Null.** No field is ever absent. Null means "does not apply" or "not yet", and only fields whose type admits it
are ever null. An empty list is \`[]\`.

**Values.** Each string with a closed set of values lists them. A mirror that is attached to an upstream passes on
values and fields that it does not know, so a robust client accepts unknown ones.

**Messages.** A text field that ends in \`_msg_key\` (\`title\` and \`blurb\` of a quest) is the key of a template;
the argument list beside it fills the template's placeholders.

**Tables.** \`/tables\` lists tables of the world in words, one flat row a thing, for people, spreadsheets and
dashboards. Their bodies are plain arrays without \`meta\`; the headers say how fresh they are. \`Accept: text/csv\`, or
\`.csv\` after the name, asks for CSV, in which texts that look like formulas begin with an apostrophe. Ids are
strings, and names stand beside them. A filter keeps the rows that have one of its values, ids or names, in any case; a
value that nothing has leaves an empty table, one that a closed filter does not have gets a 400, \`.+\` filters
nothing, and the header \`X-Ignored-Parameters\` names parameters that the table does not have.

**Paging.** \`offset\` and \`limit\` are clamped, never refused, however large or small: an offset past the end gives
an empty page, and the page contains the offset that was used. Items are in a stable order.

**Parameters.** A value that is empty, repeated, not a decimal integer where one is expected, or an id or cursor outside
0 … 9223372036854775807 gets a 400 whose detail names the parameter, what came and what was expected. Unknown
parameters are ignored.

**Session.** Every path takes the parameter \`session\`. A value other than the name of the session that the service has
gets a 404, so that no answer is taken for that of another session; an empty one is ignored. Tables that
reach into the archive also take a session that the service had earlier. A service of several
sessions needs it on every path but \`/\` and \`/health\`.

**Errors** are \`application/problem+json\` after RFC 9457. Requests are checked in this order: a request
that cannot be parsed (400, 408, 414, 431), a foreign \`Host\` (403), a method other than GET and HEAD (405, on every
path), another session (404; by a table last), a path that does not exist (404), no world yet (503), a malformed parameter (400), an entity that does not
exist (404). Only tables and pictures are refused because of load (503).

**Caching.** \`ETag\` is weak and identifies one representation in one publish of one run of the service; send it back
in \`If-None-Match\` to get a 304 while it is current. \`/metrics\` has none. \`Cache-Control\` is \`no-cache\`. Bodies of
1 KiB and more are compressed with gzip, zstd or br, as \`Accept-Encoding\` asks.`
