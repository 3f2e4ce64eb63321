import { expect, test } from 'bun:test'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { startService } from '../../../test/support/service.ts'

const uploads = [
  {
    what: 'an import',
    path: '/v1/imports',
    schema: 'exports',
    piece: 'import_piece',
    jobs: ['import'],
    name: 'a.jsonl',
  },
  {
    what: 'a document',
    path: '/v1/memories/ingest',
    schema: 'ingest',
    piece: 'piece',
    jobs: ['job', 'work'],
    name: 'a.txt',
  },
]

for (const { what, path, schema, piece, jobs, name } of uploads) {
  test(`${what} whose upload fills the database's disk is refused with 503, and leaves nothing behind`, async () => {
    const { database, account } = await startService({ WORKERS: 'none' }, { url: await ownDatabaseUrl() })
    const { client, workspaceId } = await account()
    await database.system(tx =>
      tx.unsafe(`
        create function ${schema}.refuse() returns trigger language plpgsql as $$
        begin
          raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
        end $$;
        create trigger refuse before insert on ${schema}.${piece}
          for each row when (new.number = 2) execute function ${schema}.refuse()`),
    )
    const form = new FormData()
    form.set('file', new Blob([`{"text": "${'x'.repeat(1_000_000)}"}`]), name)
    const { status, body, headers } = await client.request('POST', path, { raw: form })
    expect([status, body.error_code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    for (const table of [piece, ...jobs]) {
      const rows = await database.workspace(workspaceId, tx =>
        tx.unsafe(`select from ${schema}.${table} where workspace_id = '${workspaceId}'`),
      )
      expect([table, rows.length]).toEqual([table, 0])
    }
  })
}
