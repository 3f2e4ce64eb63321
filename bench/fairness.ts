/**
 * Measures how long one tenant's memory, short or long, takes from its 201 to COMPLETED while another tenant's long texts are being processed,
 * against the same memory on the idle service.
 *
 *   bun bench/fairness.ts                          on the embedded database
 *   BENCH_DATABASE_URL=postgres://… bun bench/fairness.ts
 */
import { completions } from './support/completion.ts'
import { percentile, report } from './support/measure.ts'
import { BENCH_KEY, type BenchService, caller, endBench, nativeServer, startBenchService } from './support/service.ts'
import { variedText } from './support/varied-texts.ts'

const LONG_TEXTS = 600
const LONG_CHARACTERS = 8_000
const BATCH = 100
const SINGLES = 30
const LONG_SINGLES = 5
/** Between two looks at a memory, so that they take nothing from the crowd's processing. */
const PAUSE_MS = 5
const ACCOUNT = { email: 'fairness@example.com', password: 'correct horse battery staple' }

type Call = BenchService['call']

for (const kind of nativeServer() ? (['native', 'embedded'] as const) : (['embedded'] as const)) {
  const service = await startBenchService(kind, { ADMIN_EMAIL: ACCOUNT.email, ADMIN_PASSWORD: ACCOUNT.password })
  const crowd = caller(service.server.url, BENCH_KEY)
  const other = caller(service.server.url, await secondTenant(service.server.url))
  await completions(other, 5, PAUSE_MS)
  const idle = await completions(other, SINGLES, PAUSE_MS)
  const idleLong = await completions(other, LONG_SINGLES, PAUSE_MS, n => longText(LONG_TEXTS + n))
  await storeLongTexts(crowd)
  const busy = await completions(other, SINGLES, PAUSE_MS)
  const busyLong = await completions(other, LONG_SINGLES, PAUSE_MS, n => longText(LONG_TEXTS + LONG_SINGLES + n))
  const left = await waiting(crowd)
  await service.server.kill()
  if (!left) throw new Error('the long texts were done before the short ones: the figures say nothing')
  report(`${kind}: short memory on the idle service, p50`, percentile(idle, 0.5), 'ms')
  report(
    `${kind}: short memory behind ${LONG_TEXTS} long texts of another, p50`,
    percentile(busy, 0.5),
    'ms',
    'at most 2000',
  )
  report(`${kind}: short memory behind ${LONG_TEXTS} long texts of another, p95`, percentile(busy, 0.95), 'ms')
  report(`${kind}: ratio of the medians of short memories`, percentile(busy, 0.5) / percentile(idle, 0.5), '')
  report(`${kind}: long memory on the idle service, p50`, percentile(idleLong, 0.5), 'ms')
  report(`${kind}: long memory behind ${LONG_TEXTS} long texts of another, p50`, percentile(busyLong, 0.5), 'ms')
}
await endBench()

/** A key of a workspace of its own, made as the account's owner makes it. */
async function secondTenant(base: string): Promise<string> {
  const signedIn = await fetch(`${base}/v1/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  const post = async (path: string, body: object) => {
    const headers = { cookie, origin: base, 'Content-Type': 'application/json' }
    const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { id: string; key: string }
  }
  const { id } = await post('/v1/workspaces', { name: 'Other' })
  const permissions = ['memory.read', 'memory.write']
  const { key } = await post('/v1/api-keys', { name: 'other', workspace_id: id, permissions })
  return key
}

async function storeLongTexts(call: Call): Promise<void> {
  for (let from = 0; from < LONG_TEXTS; from += BATCH) {
    const memories = Array.from({ length: BATCH }, (_, n) => ({ memory: longText(from + n) }))
    await call('POST', '/v1/memories/batch', { memories })
  }
}

function longText(n: number): string {
  let text = `Minutes ${n}.`
  for (let part = 0; text.length < LONG_CHARACTERS; part++) text += ` ${variedText(n * 100 + part)}`
  return text
}

async function waiting(call: Call): Promise<boolean> {
  const { data } = (await call('GET', '/v1/memories?page_size=100')) as { data: { status: string }[] }
  return data.some(({ status }) => status === 'PENDING')
}
