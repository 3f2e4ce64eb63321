import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { databaseUrl, NATIVE_URL, ownDatabaseUrl } from '../../test/support/database.ts'
import { gate } from '../../test/support/gate.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { type OpenDatabase, openDatabase, type Tx } from './database.ts'
import { TransactionTurns, turnsOf } from './turns.ts'
import { withTurns } from './with-turns.ts'

/** A client may have so many requests at work at once, and a service as many connections. */
const AT_ONCE = 16

test('a transaction of the system that a request asks for takes its turn, and its statements have a limit', async () => {
  const opened = openDatabase({ url: await databaseUrl(), poolSize: 2 })
  const turnsNow = () => new TransactionTurns({ total: 4, perWorkspace: 1, waitMs: 1000 }, new ManualClock())
  const database = withTurns(opened, { workspaces: turnsNow(), system: turnsNow() })
  const steps: string[] = []
  const asked = (name: string) => async (tx: Tx) => {
    steps.push(`${name} begins`)
    const [row] = await tx<{ ms: string }[]>`select current_setting('statement_timeout') as ms`
    steps.push(`${name} ends`)
    return row?.ms
  }
  const holder = 'an account'
  const limits = await Promise.all([
    database.system(asked('first'), { holder }),
    database.system(asked('second'), { holder }),
    database.system(asked('own'), { holder, statementMs: 1500 }),
  ])
  expect(steps).toEqual(['first', 'second', 'own'].flatMap(name => [`${name} begins`, `${name} ends`]))
  expect(limits).toEqual(['10s', '10s', '1500ms'])
  expect(await database.system(asked('of nobody'))).toBe('0')
  await opened.close()
})

test('on either database a fifth workspace begins after no more than some transactions of four that have hundreds', async () => {
  const opened = openDatabase({ url: await databaseUrl(), poolSize: AT_ONCE })
  const turns = new TransactionTurns(turnsOf(NATIVE_URL ? 'server' : 'embedded', AT_ONCE), new ManualClock())
  const begun: string[] = []
  // A first statement would tell which connections are open already.
  const noting: OpenDatabase = {
    ...opened,
    workspace(workspaceId, work, options) {
      begun.push(workspaceId)
      return opened.workspace(workspaceId, work, options)
    },
  }
  const database = withTurns(noting, { workspaces: turns, system: turns })
  const run = (workspaceId: string) => database.workspace(workspaceId, tx => tx`select 1`)
  const [victim, ...attackers] = Array.from({ length: 5 }, () => randomUUID())
  const dealt = attackers.flatMap(id => Array.from({ length: 100 }, () => run(id)))
  const after = begun.length
  await run(victim ?? '')
  // Those that had begun, and one of each that waited before it.
  expect(begun.indexOf(victim ?? '') - after).toBeWithin(0, turns.options.total + attackers.length + 1)
  await Promise.all(dealt)
  expect(begun).toHaveLength(401)
  await opened.close()
})

test('a workspace has used the time that its transactions had the database, and not the time they waited for it', async () => {
  const opened = openDatabase({ url: await databaseUrl(), poolSize: 2 })
  const clock = new ManualClock()
  const turns = new TransactionTurns({ total: 3, perWorkspace: 2, oneAtATime: true, waitMs: 1000 }, clock)
  const late: OpenDatabase = {
    ...opened,
    workspace(workspaceId, work, options) {
      clock.advance(900)
      return opened.workspace(workspaceId, work, options)
    },
  }
  const database = withTurns(late, { workspaces: turns, system: turns })
  const [own, other] = [randomUUID(), randomUUID()]
  const holding = (ms: number) => database.workspace(own, async () => clock.advance(ms))
  await database.workspace(other, async () => undefined)
  await holding(20)
  await holding(600)
  const third = holding(20)
  expect([turns.permits.running, turns.permits.waiting]).toEqual([0, 1])
  clock.advance(801)
  await third
  await opened.close()
})

test("jobs' snapshots take places as one more workspace would, and not those of their own", async () => {
  const opened = openDatabase({ url: await databaseUrl(), poolSize: 4 })
  const turns = new TransactionTurns({ total: 3, perWorkspace: 1, waitMs: 1000 }, new ManualClock())
  const database = withTurns(opened, { workspaces: turns, system: turns })
  const [own, other, end] = [randomUUID(), randomUUID(), gate()]
  const states: number[][] = []
  const note = async () => void states.push([turns.permits.running, turns.permits.waiting])
  const snapshots = [own, other].map(id =>
    database.workspace(id, () => Promise.all([note(), NATIVE_URL ? end.opened : undefined]), { snapshot: true }),
  )
  await until('the first one is open', async () => states.length > 0)
  if (NATIVE_URL) await database.workspace(own, note)
  end.open()
  await Promise.all(snapshots)
  expect(states).toEqual(
    NATIVE_URL
      ? [
          [1, 1],
          [2, 1],
          [1, 0],
        ]
      : [
          [1, 1],
          [1, 0],
        ],
  )
  await opened.close()
})

/** Keeps rows locked while `meanwhile` runs. */
async function locked<T>({ database }: TestService, lock: (tx: Tx) => Promise<unknown>, meanwhile: () => Promise<T>) {
  const [begun, end] = [gate(), gate()]
  const holding = database.system(async tx => {
    await lock(tx)
    begun.open()
    await end.opened
  })
  try {
    await Promise.race([begun.opened, holding])
    return await meanwhile()
  } finally {
    end.open()
    await holding
  }
}

/** Resolves when so many transactions of a class run or wait for their turn. */
function begun({ anonymous }: TestService, kind: string, count: number): Promise<boolean> {
  return until(`${count} of the class ${kind} to be begun`, async () => {
    const { body } = await anonymous.get('/metrics')
    const used = [...String(body).matchAll(new RegExp(`^mneme_share_used\\{class="${kind}",.*\\} (\\d+)$`, 'gm'))]
    return used.reduce((sum, [, value]) => sum + Number(value), 0) >= count
  })
}

// The embedded database runs one transaction at a time: whoever holds a lock there holds up everybody.
if (NATIVE_URL) {
  const start = async () =>
    startService({ WORKERS: 'none', DATABASE_POOL: String(AT_ONCE) }, { url: await ownDatabaseUrl() })

  test('however long the transactions of four workspaces wait for a lock, a fifth one reads and writes meanwhile', async () => {
    const service = await start()
    const victim = await service.account()
    const attackers = [
      await service.account(),
      await service.account(),
      await service.account(),
      await service.account(),
    ]
    const write = async ({ client }: typeof victim) => (await client.post('/v1/memories', { memory: 'Tea.' })).body.id
    const own = await write(victim)
    const held = await Promise.all(attackers.map(write))
    const lock = (tx: Tx) => tx`select memory.id from memories.memory where memory.id in ${tx(held)} for update`
    const dealt = await locked(service, lock, async () => {
      const under: Promise<{ status: number }>[] = []
      // The first one takes what it can while it is alone, and so on.
      for (const [n, { client }] of attackers.entries()) {
        under.push(...Array.from({ length: AT_ONCE }, () => client.delete(`/v1/memories/${held[n]}`)))
        await begun(service, 'transaction', (n + 1) * AT_ONCE)
      }
      expect((await victim.client.get(`/v1/memories/${own}`)).status).toBe(200)
      expect((await victim.client.put(`/v1/memories/${own}`, { memory: 'Coffee.' })).status).toBe(200)
      return under
    })
    const answers = (await Promise.all(dealt)).map(({ status }) => status)
    expect(answers.filter(status => status === 204)).toHaveLength(attackers.length)
    expect(answers.filter(status => status === 404)).toHaveLength(attackers.length * (AT_ONCE - 1))
  })

  test('however many changes of one account wait for a lock, the keys of others are found meanwhile', async () => {
    const service = await start()
    const [account, victim] = [await service.account(), await service.account()]
    const session = await account.signIn()
    const { body: key } = await session.post('/v1/api-keys', { name: 'held', permissions: ['memory.read'] })
    const lock = (tx: Tx) => tx`select api_key.id from core.api_key where api_key.id = ${key.id} for update`
    const dealt = await locked(service, lock, async () => {
      const under = Array.from({ length: AT_ONCE }, (_, n) =>
        session.patch(`/v1/api-keys/${key.id}`, { name: `changed ${n}` }),
      )
      await begun(service, 'system', AT_ONCE)
      expect((await victim.client.get('/v1/memories')).status).toBe(200)
      expect((await (await victim.signIn()).get('/v1/api-keys')).status).toBe(200)
      return under
    })
    for (const { status } of await Promise.all(dealt)) expect(status).toBe(200)
  })
}
