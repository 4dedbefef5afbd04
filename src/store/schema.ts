/** The tables of a session's file. */
import type { DatabaseSync } from 'node:sqlite'

/** Marks the files of this program: "DCSA". */
export const applicationId = 0x44435341
/** A file of another version is not touched. */
export const schemaVersion = 3

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
  -- The record's own JSON, compressed, with a checksum.
  body BLOB NOT NULL,
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
-- The world as it was saved last: one row.
CREATE TABLE save (
  number INTEGER PRIMARY KEY,
  -- JSON: the identity of the world, its time, and the length of each section.
  head TEXT NOT NULL
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
] as const

/** SQLite checks pages, not the text of the schema, in which a flipped bit renames a column or a tokenizer. */
export const schemaOf = (database: DatabaseSync): string =>
  JSON.stringify(database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all())
