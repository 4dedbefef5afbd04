/** The tables of a session's file. */
import type { DatabaseSync } from 'node:sqlite'

/** Marks the files of this program: "DCSA". */
export const applicationId = 0x44435341
/** A file of another version is not touched. */
export const schemaVersion = 4

/** `to_ms` of an open incident, and the bound of wall times. */
export const openMs = 9_000_000_000_000_000

export const schema = `
CREATE TABLE world (
  number INTEGER PRIMARY KEY,
  -- The id of a world that its source knows again; null for one that is known by its figures and its time.
  id TEXT UNIQUE,
  session TEXT NOT NULL,
  seed TEXT NOT NULL,
  scale TEXT NOT NULL,
  scenario TEXT NOT NULL,
  sim_ns INTEGER NOT NULL,
  event_ns INTEGER NOT NULL,
  gaps INTEGER NOT NULL,
  -- The wall time at which it was seen last; null before its first publish.
  wall_ms INTEGER
) STRICT;
CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  world INTEGER NOT NULL,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  -- The incident that a work order serves.
  incident INTEGER,
  -- Simulated times. An incident that is open has no end.
  from_ns INTEGER NOT NULL,
  to_ns INTEGER,
  -- Wall times; null until the first publish of a world that warms up.
  from_ms INTEGER,
  to_ms INTEGER,
  -- The record's own JSON, compressed if it is long, with a checksum.
  body BLOB NOT NULL,
  -- JSON of an incident: what the view of incidents shows of it.
  summary TEXT,
  UNIQUE (world, kind, number)
) STRICT;
CREATE INDEX record_by_end ON record (world, kind, to_ms, from_ms);
CREATE INDEX record_by_simulated_end ON record (world, kind, to_ns, from_ns);
CREATE INDEX record_by_age ON record (to_ms);
CREATE INDEX record_by_incident ON record (world, incident) WHERE incident IS NOT NULL;
-- The words of a record, by its id.
CREATE VIRTUAL TABLE word USING fts5(
  text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
);
CREATE TABLE entity (
  world INTEGER NOT NULL,
  collection TEXT NOT NULL,
  number INTEGER NOT NULL,
  json TEXT NOT NULL,
  -- CRC-32 of the JSON.
  sum INTEGER NOT NULL,
  -- The simulated day of the last record that mentions it.
  day INTEGER NOT NULL,
  PRIMARY KEY (world, collection, number)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER record_gone AFTER DELETE ON record BEGIN
  DELETE FROM word WHERE rowid = old.id;
END;
CREATE TRIGGER world_gone AFTER DELETE ON world BEGIN
  DELETE FROM entity WHERE world = old.number;
END;
-- The world as it was saved last: one row.
CREATE TABLE save (
  number INTEGER PRIMARY KEY,
  version TEXT NOT NULL,
  seed TEXT NOT NULL,
  scale TEXT NOT NULL,
  scenario TEXT NOT NULL,
  world TEXT NOT NULL,
  -- It stays countable in a double.
  publish_seq INTEGER NOT NULL CHECK (publish_seq BETWEEN 0 AND 1000000000000000),
  sim_ns INTEGER NOT NULL CHECK (sim_ns >= 0),
  -- The length of all of its pieces.
  bytes INTEGER NOT NULL
) STRICT;
-- The bytes of a save, or of one that is not complete yet.
CREATE TABLE piece (
  id INTEGER PRIMARY KEY,
  save INTEGER NOT NULL,
  section TEXT NOT NULL,
  number INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  -- CRC-32 of the bytes.
  sum INTEGER NOT NULL,
  UNIQUE (save, section, number)
) STRICT;
-- The last publish: one row.
CREATE TABLE publish (
  world TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  sim_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- The actions that the world has taken, each with the time at which it takes effect.
CREATE TABLE action (
  world TEXT NOT NULL,
  taken INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  label TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (world, taken)
) STRICT, WITHOUT ROWID;
-- Runs of the recorder.
CREATE TABLE recording (
  number INTEGER PRIMARY KEY,
  source TEXT NOT NULL,
  -- The version of the program.
  software TEXT NOT NULL,
  began_ms INTEGER NOT NULL,
  -- Wall time between two frames, as it was intended.
  every_ms INTEGER NOT NULL,
  -- JSON: the names of the lists in each frame, in their order.
  lists TEXT NOT NULL
) STRICT;
CREATE TABLE frame (
  number INTEGER PRIMARY KEY,
  recording INTEGER NOT NULL,
  -- The frame with which decoding begins: itself, or one before it.
  key INTEGER NOT NULL,
  sim_ns INTEGER NOT NULL,
  -- Simulated time since the first frame, summed over recordings and worlds.
  elapsed_ns INTEGER NOT NULL,
  wall_ms INTEGER NOT NULL,
  publish_seq INTEGER NOT NULL,
  -- Of the newest event that has left the window; -1 if none has.
  evicted_ns INTEGER NOT NULL,
  -- Whether it is the first of a recording, or of another world.
  is_join INTEGER NOT NULL,
  -- Whether events since the frame before are missing from every frame.
  has_gap INTEGER NOT NULL,
  body BLOB NOT NULL,
  -- CRC-32 of the body.
  sum INTEGER NOT NULL
) STRICT;
-- The log of game days: how each began, what was injected and ordered, and its end, as JSON.
CREATE TABLE game_day_log (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
-- What a team said, and the hints that it took, as JSON.
CREATE TABLE answer (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT;
-- What was broken in truth, as JSON.
CREATE TABLE fault (
  world TEXT NOT NULL,
  number INTEGER NOT NULL,
  -- Whether it and its incidents have ended.
  is_over INTEGER NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (world, number)
) STRICT, WITHOUT ROWID;
-- What authors of tools may rely on: docs/formats/session.md.
CREATE VIEW plain AS
  SELECT world, kind, number, from_ns, to_ns, from_ms, to_ms,
    CASE WHEN substr(body, 1, 1) = x'00' AND json_valid(CAST(substr(body, 6) AS TEXT))
      THEN CAST(substr(body, 6) AS TEXT) END AS json
  FROM record;
CREATE VIEW events AS
  SELECT world, from_ns AS at_ns, from_ms AS at_ms, json ->> 'kind' AS kind, json ->> 'severity' AS severity,
    json ->> 'msg_key' AS message, json -> 'msg_args' AS arguments, json ->> 'entity_kind' AS entity_kind,
    json ->> 'entity_id' AS entity
  FROM plain WHERE kind = 'event';
CREATE VIEW incidents AS
  SELECT world, number AS incident, summary ->> 'title' AS title, summary ->> 'band' AS band,
    summary ->> 'cause' AS cause, summary ->> 'customers' AS customers, from_ns AS opened_ns, to_ns AS resolved_ns,
    from_ms AS opened_ms, nullif(to_ms, ${openMs}) AS resolved_ms
  FROM record WHERE kind = 'incident';
CREATE VIEW days AS
  SELECT world, number AS day, from_ms AS began_ms, to_ms AS ended_ms, json ->> 'critical' AS critical,
    json ->> 'major' AS major, json ->> 'minor' AS minor, json ->> 'watch' AS watch, json ->> 'worst' AS worst,
    json ->> 'troubledMinutes' AS troubled_minutes, json ->> 'atRiskDollars' AS at_risk_dollars,
    json ->> 'creditedDollars' AS credited_dollars, json ->> 'spentDollars' AS spent_dollars,
    json ->> 'events' AS events, json ->> 'ordersDone' AS orders_done
  FROM plain WHERE kind = 'day';
CREATE VIEW truth AS
  SELECT world, number AS fault, is_over, json ->> 'kind' AS kind, json ->> 'origin' AS origin,
    json ->> '$.entity.kind' AS entity_kind, json ->> '$.entity.name' AS entity, json ->> '$.entity.place' AS place,
    json ->> '$.begin.sim_s' AS began_sim_s, json ->> '$.begin.wall_s' AS began_wall_s,
    json ->> '$.end.sim_s' AS ended_sim_s, json ->> '$.end.wall_s' AS ended_wall_s, json ->> 'ended_by' AS ended_by,
    json_array_length(json, '$.customers') AS customers, json_array_length(json, '$.incidents') AS incidents,
    json ->> 'revenue_hurt_dollars' AS dollars
  FROM fault;
CREATE VIEW answers AS
  SELECT id, json ->> 'wall_s' AS wall_s, json ->> 'by' AS by, json ->> 'text' AS text,
    json ->> '$.hint.fault' AS hint_fault, json ->> '$.hint.level' AS hint_level
  FROM answer;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaVersion};
`

/** The tables whose rows are copied out of a damaged file. The index of words is made again. */
export const salvagedTables = [
  'world',
  'record',
  'entity',
  'save',
  'piece',
  'publish',
  'action',
  'recording',
  'frame',
  'game_day_log',
  'answer',
  'fault',
] as const

/** SQLite checks pages, not the text of the schema, in which a flipped bit renames a column or a tokenizer. */
export const schemaOf = (database: DatabaseSync): string =>
  JSON.stringify(database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all())
