import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { extend, type Tx } from 'mneme/plugin'
import { type MemoryRecord, memoryProcessing, type ProcessingStep } from '../contract.ts'
import { processTask } from '../tasks/process.ts'
import { jobOf, type MemoryWorld, memoryWorld } from '../world.test-support.ts'

/** Builds a step that records its calls with their texts. */
function step(parts: Partial<ProcessingStep> & { id: string }, log: string[] = []): ProcessingStep {
  return {
    order: 0,
    async prepare(_, memories) {
      log.push(`${parts.id} prepares ${texts(memories)}`)
      return new Map()
    },
    async write(_, memories) {
      log.push(`${parts.id} writes ${texts(memories)}`)
    },
    ...parts,
  }
}

function texts(memories: readonly MemoryRecord[]): string {
  return memories
    .map(memory => memory.text)
    .sort()
    .join(' ')
}

function world(...steps: ProcessingStep[]): Promise<MemoryWorld> {
  return memoryWorld({ extensions: steps.map(one => extend(memoryProcessing, one)) })
}

describe('processing', () => {
  test('completes a memory without any steps and publishes an event', async () => {
    const { scope, create, shown, published } = await world()
    const memory = await create({ text: 'a', userId: 'ada' })
    await scope.process(jobOf(memory))
    expect((await shown(memory.id)).status).toBe('COMPLETED')
    expect(published.at(-1)).toMatchObject({
      kind: 'memory.processed',
      subjectId: memory.id,
      userId: 'ada',
      data: { id: memory.id, user_id: 'ada', revision: 1 },
    })
  })

  test('runs steps in ascending order on all memories of a pass, which are PROCESSING meanwhile', async () => {
    const log: string[] = []
    const statuses: string[] = []
    const watching = step({
      id: 'watching',
      order: 3,
      async prepare(_, memories) {
        for (const memory of memories) statuses.push((await shown(memory.id)).status)
        return new Map()
      },
    })
    const { scope, create, shown } = await world(
      step({ id: 'late', order: 2 }, log),
      step({ id: 'early', order: 1 }, log),
      watching,
    )
    const memories = [await create({ text: 'a' }), await create({ text: 'b' })]
    await Promise.all(memories.map(memory => scope.process(jobOf(memory))))
    expect(log).toEqual(['early prepares a b', 'late prepares a b', 'early writes a b', 'late writes a b'])
    expect(statuses).toEqual(['PROCESSING', 'PROCESSING'])
  })

  test('finishes with the steps that share rows with others, when all is written and the memory is complete', async () => {
    const log: string[] = []
    const { scope, create } = await world(
      step(
        {
          id: 'counting',
          order: 1,
          prepare: async (_, memories) => new Map(memories.map(({ id }) => [id, 7])),
          async finish(tx: Tx, memories, prepared) {
            const rows = await tx<{ status: string }[]>`
              select status from memories.memory where id = ${memories[0]?.id ?? ''}`
            log.push(`counting finishes ${texts(memories)}, ${rows[0]?.status}, with ${[...prepared.values()]}`)
          },
        },
        log,
      ),
      step({ id: 'late', order: 2 }, log),
    )
    await scope.process(jobOf(await create({ text: 'a' })))
    expect(log.slice(-3)).toEqual(['counting writes a', 'late writes a', 'counting finishes a, COMPLETED, with 7'])
  })

  test('passes each step its own prepared results', async () => {
    const seen: unknown[] = []
    const keeping = (id: string) =>
      step({
        id,
        prepare: async (_, memories) => new Map(memories.map(memory => [memory.id, `${id} of ${memory.text}`])),
        write: async (_, memories, prepared) => void seen.push(...memories.map(memory => prepared.get(memory.id))),
      })
    const { scope, create } = await world(keeping('one'), keeping('two'))
    await scope.process(jobOf(await create({ text: 'a' })))
    expect(seen).toEqual(['one of a', 'two of a'])
  })

  test('a step that fails after writing is rolled back, and the memory stays unfinished', async () => {
    const { scope, create, shown, kinds } = await world(
      step({
        id: 'half',
        async write(tx: Tx, memories) {
          for (const { id } of memories) await tx`update memories.memory set text = 'half done' where id = ${id}`
          throw new Error('and then it broke')
        },
      }),
    )
    const memory = await create({ text: 'whole' })
    await expect(scope.process(jobOf(memory))).rejects.toThrow('and then it broke')
    expect(await shown(memory.id)).toMatchObject({ memory: 'whole', status: 'PROCESSING' })
    expect(kinds()).not.toContain('memory.processed')
  })

  test('one bad memory never fails its neighbours, and its own job alone rejects', async () => {
    const { scope, create, shown } = await world(
      step({
        id: 'picky',
        async prepare(_, memories) {
          if (memories.some(memory => memory.text === 'bad')) throw new Error('cannot read it')
          return new Map()
        },
      }),
    )
    const memories = await Promise.all(['a', 'bad', 'b'].map(text => create({ text })))
    const results = await Promise.allSettled(memories.map(memory => scope.process(jobOf(memory))))
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const statuses = await Promise.all(memories.map(async memory => (await shown(memory.id)).status))
    expect(statuses).toEqual(['COMPLETED', 'PROCESSING', 'COMPLETED'])
  })

  test('a memory that a lost worker left PROCESSING is processed by its job again', async () => {
    const { scope, tenant, create, shown } = await world()
    const memory = await create({ text: 'a' })
    await tenant.transaction(tx => tx`update memories.memory set status = 'PROCESSING'`)
    await scope.process(jobOf(memory))
    expect((await shown(memory.id)).status).toBe('COMPLETED')
  })

  test('a stale job changes nothing', async () => {
    const log: string[] = []
    const { scope, tenant, create, shown, kinds } = await world(step({ id: 'step' }, log))
    const memory = await create({ text: 'a' })
    await tenant.transaction(tx => tx`update memories.memory set revision = 2`)
    await scope.process(jobOf(memory))
    expect([log, (await shown(memory.id)).status, kinds()]).toEqual([[], 'PENDING', ['memory.created']])
  })

  test('nothing is written for a memory that changed, expired or was deleted during preparation', async () => {
    const log: string[] = []
    const changing = step({
      id: 'changing',
      order: -1,
      async prepare({ transaction }) {
        await transaction(async tx => {
          await tx`update memories.memory set revision = 2, status = 'PENDING' where text = 'updated'`
          await tx`update memories.memory set live = false where text = 'absorbed'`
          await tx`delete from memories.memory where text = 'deleted'`
        })
        return new Map()
      },
    })
    const { scope, create, published } = await world(changing, step({ id: 'step' }, log))
    const memories = await Promise.all(['updated', 'absorbed', 'deleted', 'kept'].map(text => create({ text })))
    await Promise.all(memories.map(memory => scope.process(jobOf(memory))))
    expect(log.at(-1)).toBe('step writes kept')
    const processed = published.filter(event => event.kind === 'memory.processed')
    expect(processed.map(event => event.subjectId)).toEqual([memories[3]?.id ?? ''])
  })

  test('a memory that is promoted while it is processed is left to its next pass, and goes into none that expires', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const task = { layer: 'TASK' as const, expiresAt }
    let promotes = false
    const { scope, create, shown } = await world(
      step({
        id: 'promoting',
        async prepare({ transaction }) {
          if (promotes)
            await transaction(async tx => {
              await tx`
                update memories.memory
                set layer = 'RAW', expires_at = null, status = 'PROCESSING'
                where text = 'Ada likes green tea!'`
            })
          return new Map()
        },
      }),
    )
    const older = await create({ text: 'Ada likes green tea', ...task })
    await scope.process(jobOf(older))
    const promoted = await create({ text: 'Ada likes green tea!', ...task })
    promotes = true
    await scope.process(jobOf(promoted))
    expect(await shown(promoted.id)).toMatchObject({ status: 'PROCESSING', consolidated_into: null })
    await scope.process(jobOf(promoted))
    expect(await shown(promoted.id)).toMatchObject({ status: 'COMPLETED', consolidated_into: null, expires_at: null })
    expect((await shown(older.id)).consolidated_into).toBeNull()
  })

  test('a repeated job takes effect once', async () => {
    const log: string[] = []
    const { scope, create, kinds } = await world(step({ id: 'step' }, log))
    const memory = await create({ text: 'a' })
    await scope.process(jobOf(memory))
    await scope.process(jobOf(memory))
    expect(log).toEqual(['step prepares a', 'step writes a'])
    expect(kinds()).toEqual(['memory.created', 'memory.processed'])
  })

  test('a job of a deleted workspace ends without an error', async () => {
    const { scope } = await world()
    await scope.process({ workspace_id: randomUUID(), memory_id: randomUUID(), revision: 1 })
  })
})

describe('memories:process', () => {
  const attempt = { attempt: 5, maxAttempts: 5, signal: new AbortController().signal }

  test('the memory is FAILED after the last attempt, and get-one gives the reason', async () => {
    const { scope, create, shown, published, client } = await world()
    const memory = await create({ text: 'a' })
    const input = { ...attempt, scope, payload: jobOf(memory) } as never
    await processTask.exhausted?.(input, new Error('the model refused it'))
    expect(await shown(memory.id)).toMatchObject({
      status: 'FAILED',
      error: 'Processing failed after 5 attempts: the model refused it',
    })
    expect((await client.get('/v1/memories')).body.data[0].status).toBe('FAILED')
    expect(published.at(-1)).toMatchObject({ kind: 'memory.failed', subjectId: memory.id })
  })

  test('the reason of a database failure does not quote its message', async () => {
    const { scope, create, shown } = await world()
    const memory = await create({ text: 'a' })
    const failure = Object.assign(new Error('insert into secret values (1)'), { name: 'PostgresError' })
    await processTask.exhausted?.({ ...attempt, scope, payload: jobOf(memory) } as never, failure)
    expect((await shown(memory.id)).error).toBe('Processing failed after 5 attempts: the result could not be stored')
  })

  test('a stale job does not fail a newer revision', async () => {
    const { scope, tenant, create, shown } = await world()
    const memory = await create({ text: 'a' })
    await tenant.transaction(tx => tx`update memories.memory set revision = 2`)
    await processTask.exhausted?.({ ...attempt, scope, payload: jobOf(memory) } as never, new Error('old'))
    expect(await shown(memory.id)).toMatchObject({ status: 'PENDING', error: null })
  })
})
