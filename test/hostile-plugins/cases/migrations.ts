import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onEnd } from '../../support/closing.ts'
import { plugin } from './parts.ts'
import type { Refused } from './refusal.ts'

/** Makes a folder of migrations with one file. */
function folderOf(sql: string, name: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-hostile-'))
  onEnd(async () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, name), sql)
  return pathToFileURL(`${folder}/`)
}

const applies = (what: string, id: string, sql: string, fault: string, name = '0001_create_a.sql'): Refused => ({
  what,
  plugins: [plugin(id, { migrations: folderOf(sql, name) })],
  sentence: `plugin ${id}: ${fault}`,
})

/** Each has an id, and so a schema, of its own, since they share a database. */
export const refusedMigrations: readonly Refused[] = [
  applies(
    'a migration that ends its transaction and then fails',
    'commits',
    'create table x_commits.a (id int); commit; create table x_commits.a (id int);',
    '0001_create_a.sql: it holds commit; each file runs in a transaction of its own, so leave it out',
  ),
  applies(
    "a migration of what is another plugin's",
    'grabs',
    'alter table core.workspace disable row level security;',
    "0001_create_a.sql: it touches core.workspace, which is another's; use the contract of the plugin that owns it",
  ),
  applies(
    "a migration that drops what is another plugin's",
    'drops',
    'drop table core.event;',
    "0001_create_a.sql: it touches core.event, which is another's; use the contract of the plugin that owns it",
  ),
  applies(
    'a migration outside of any transaction',
    'concurs',
    'create table x_concurs.a (id int); create index concurrently a_id on x_concurs.a (id);',
    '0001_create_a.sql: it holds a statement that Postgres runs outside of transactions only, as an index made concurrently',
  ),
  applies(
    'a table of tenants that nothing protects',
    'shows',
    'create table x_shows.a (workspace_id uuid primary key, secret text);',
    "0001_create_a.sql: the table x_shows.a has a workspace_id and is not protected as a tenant table; add `select core.protect_tenant_table('x_shows.a');` after it is created",
  ),
  applies(
    'a table of tenants whose key begins with another column',
    'sorts',
    "create table x_sorts.a (id uuid primary key, workspace_id uuid not null); select core.protect_tenant_table('x_sorts.a');",
    '0001_create_a.sql: the table x_sorts.a has a workspace_id and no primary key that begins with it; write `primary key (workspace_id, …)`',
  ),
  applies(
    'a table outside of its schema',
    'strays',
    'create table a (workspace_id uuid primary key, secret text);',
    '0001_create_a.sql: it names a without a schema, which is not yours then; write x_strays.a',
  ),
  applies(
    'a migration that is no SQL',
    'speaks',
    'please make a table;',
    '0001_create_a.sql failed in line 1: syntax error at or near "please"',
  ),
  applies(
    'a migration without a number',
    'counts',
    'select 1;',
    'create_a.sql is not named NNNN_verb_noun.sql',
    'create_a.sql',
  ),
]
