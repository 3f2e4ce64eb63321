import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { inWorkspace, type Service, ServiceError } from './service.ts'
import type { Terminal } from './terminal.ts'

export interface ExportOptions {
  readonly format: string
  readonly user: string | undefined
  readonly workspace: string | undefined
  readonly include: string | undefined
  readonly out: string | undefined
}

const LOOK_MS = 500
const ENDINGS: Readonly<Record<string, string>> = { JSONL: 'jsonl', JSON: 'json', CSV: 'csv', MARKDOWN: 'md' }
/** A download that breaks off goes on from where it stands, so often without a byte between. */
const BREAKS_MAX = 5

/**
 * Has a workspace exported and downloads the file, which bears its name only once it is there whole and its checksum fits.
 * @returns 0, or 1 when the export failed
 */
export async function runExport(service: Service, terminal: Terminal, options: ExportOptions): Promise<number> {
  const format = options.format.toUpperCase()
  const made = await service.json('POST', '/v1/exports', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      format,
      ...(options.user === undefined ? {} : { user_id: options.user }),
      ...(options.include === undefined ? {} : { include: options.include.split(',').map(word => word.trim()) }),
      ...(options.workspace === undefined ? {} : { workspace_id: options.workspace }),
    }),
  })
  const path = `/v1/exports/${made.id}`
  const job = await written(service, terminal, inWorkspace(path, options.workspace))
  if (job.status === 'FAILED') {
    terminal.print(`failed       ${job.error}`)
    return 1
  }
  const out = options.out ?? `mneme-export-${String(job.created_at).slice(0, 10)}.${ENDINGS[format] ?? 'txt'}`
  await downloaded(
    service,
    terminal,
    inWorkspace(`${path}/download`, options.workspace),
    `${out}.part`,
    Number(job.size_bytes),
  )
  if ((await sha256Of(`${out}.part`)) !== job.sha256) {
    terminal.print(`failed       ${out}.part is damaged: remove it and try again`)
    return 1
  }
  await rename(`${out}.part`, out)
  terminal.print(`exported     ${out}: ${job.size_bytes} bytes`)
  return 0
}

async function written(service: Service, terminal: Terminal, path: string): Promise<Record<string, unknown>> {
  const bar = terminal.bar('exporting', 1)
  try {
    for (;;) {
      const job = await service.json('GET', path)
      const progress = Object(job.progress)
      bar.update(Number(progress.done ?? 0), Number(progress.total ?? 1))
      if (job.status === 'COMPLETED' || job.status === 'FAILED') return job
      await service.pause(LOOK_MS)
    }
  } finally {
    bar.stop()
  }
}

async function downloaded(
  service: Service,
  terminal: Terminal,
  path: string,
  target: string,
  size: number,
): Promise<void> {
  const bar = terminal.bar('downloading', size)
  // A part of another export may lie there: this one begins anew, and its own part is gone on with.
  await (await open(target, 'w')).close()
  try {
    for (let at = 0, breaks = 0; at < size; ) {
      const before = at
      const response = await service.send('GET', path, { headers: { Range: `bytes=${at}-` } })
      const file = await open(target, 'a')
      try {
        for await (const chunk of response.body ?? []) {
          await file.write(chunk)
          at += chunk.byteLength
          bar.update(at)
        }
      } catch {
        // The bytes that came so far are kept.
      } finally {
        await file.close()
      }
      at = (await stat(target)).size
      breaks = at > before ? 0 : breaks + 1
      if (breaks === BREAKS_MAX) throw new ServiceError('The download broke off again and again; try later.')
    }
  } finally {
    bar.stop()
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
