import { describe, expect, test } from 'bun:test'
import type { EntityType } from '../contract.ts'
import { readWaiting } from '../tasks/read-waiting.ts'
import { likesExtractor, type ReadingWorld, readingWorld } from '../tasks/world.test-support.ts'
import { entitiesOf, faultsOf } from '../writing/writing.test-support.ts'
import { normalName } from './normal-name.ts'

const { signal } = new AbortController()

interface Named {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly type?: EntityType
  readonly isUser?: boolean
}

/** A world whose memories name what the test says. */
async function naming() {
  const says = new Map<string, readonly Named[]>()
  const extractor = likesExtractor('local', ({ text }) => {
    const span = { start: 0, end: 1 }
    return {
      entities: (says.get(text) ?? []).map(({ name, aliases = [], type = 'PERSON', isUser = false }) => ({
        name,
        aliases,
        type,
        isUser,
        span,
        confidence: 0.9,
      })),
    }
  })
  const world = await readingWorld(extractor)
  let counter = 0
  return {
    world,
    async say(...named: Named[]) {
      const text = `memory ${++counter} of ${world.workspaceId}`
      says.set(text, named)
      const id = await world.remember(text)
      await readWaiting(world.scope, world.workspaceId, signal)
      return id
    },
    forget: (id: string) => world.account.client.delete(`/v1/memories/${id}`),
  }
}

/** Each entity by its name, with how many memories name it, and all its names. */
async function shown({ running, workspaceId }: ReadingWorld) {
  expect(await faultsOf(running, workspaceId)).toEqual([])
  return (await entitiesOf(running, workspaceId)).map(line => line.replace(/^\w+ /, '').replace(/: $/, ''))
}

describe('a name', () => {
  test('is compared without letter case, width, spaces and punctuation at its ends', () => {
    expect(normalName('  "Ａda   Lovelace!" ')).toBe('ada lovelace')
    expect(normalName('...')).toBe('...')
  })

  test('of one type is one entity, of another type another', async () => {
    const { world, say } = await naming()
    await say({ name: 'Falcon' })
    await say({ name: 'falcon.' }, { name: 'Falcon', type: 'THING' })
    expect(await shown(world)).toEqual(['Falcon false 2 falcon', 'Falcon false 1 falcon'])
  })

  test('of a user is nothing to another user', async () => {
    const { world } = await naming()
    await world.remember('Ada likes tea', 'one')
    await world.remember('Ada likes coffee', 'two')
    await readWaiting({ ...world.scope, extractor: likesExtractor() }, world.workspaceId, signal)
    expect((await shown(world)).filter(line => line.startsWith('Ada'))).toHaveLength(2)
  })
})

describe('a company', () => {
  test('is the same with and without its legal form, in whatever order they come and go', async () => {
    const type = 'ORGANIZATION'
    const { world, say, forget } = await naming()
    const first = await say({ name: 'Acme Corp', type })
    await say({ name: 'ACME Corporation', type })
    await say({ name: 'Acme', type })
    expect(await shown(world)).toEqual(['Acme Corp false 3 acme+acme corp+acme corporation'])
    await forget(first)
    expect(await shown(world)).toEqual(['ACME Corporation false 2 acme+acme corporation'])
  })

  test('is another one where more than its legal form differs', async () => {
    const type = 'ORGANIZATION'
    const { world, say } = await naming()
    await say({ name: 'Acme Labs', type })
    await say({ name: 'Acme Corp', type })
    expect(await shown(world)).toEqual(['Acme Corp false 1 acme+acme corp', 'Acme Labs false 1 acme labs'])
  })
})

describe('an alias', () => {
  test('leads to the entity that goes by it', async () => {
    const { world, say } = await naming()
    await say({ name: 'Robert', aliases: ['Bob'] })
    await say({ name: 'Bob' })
    expect(await shown(world)).toEqual(['Robert false 2 bob+robert'])
  })

  test('makes one of two, until the memory that says so goes', async () => {
    const { world, say, forget } = await naming()
    await say({ name: 'Robert' })
    await say({ name: 'Bob' })
    const tie = await say({ name: 'Robert', aliases: ['Bob'] })
    expect(await shown(world)).toEqual(['Robert false 3 bob+robert'])
    await forget(tie)
    expect(await shown(world)).toEqual(['Bob false 1 bob', 'Robert false 1 robert'])
  })

  test('does not make one of two that a memory names apart', async () => {
    const { world, say } = await naming()
    await say({ name: 'Robert' }, { name: 'Bob' })
    await say({ name: 'Robert', aliases: ['Bob'] })
    expect(await shown(world)).toEqual(['Bob false 1 bob', 'Robert false 2 bob+robert'])
  })

  test('that is short for many names ties no two of them', async () => {
    const { world, say } = await naming()
    await say({ name: 'Ada Okafor', aliases: ['Ada'] })
    await say({ name: 'Ada Byron', aliases: ['Ada'] })
    expect(await shown(world)).toEqual(['Ada Byron false 1 ada+ada byron', 'Ada Okafor false 1 ada+ada okafor'])
  })
})

describe('the user', () => {
  test('goes by the id until a memory tells the name, and again when that memory goes', async () => {
    const { world, say, forget } = await naming()
    await say({ name: 'u7', isUser: true })
    const naming1 = await say({ name: 'Noor', aliases: ['u7'], isUser: true })
    expect(await shown(world)).toEqual(['Noor true 2 noor+u7'])
    await forget(naming1)
    expect(await shown(world)).toEqual(['u7 true 1 u7'])
  })

  test('is the person of that name that memories spoke of before, who is another again without it', async () => {
    const { world, say, forget } = await naming()
    await say({ name: 'Noor' })
    await say({ name: 'u7', isUser: true })
    const tie = await say({ name: 'Noor', aliases: ['u7'], isUser: true })
    expect(await shown(world)).toEqual(['Noor true 3 noor+u7'])
    await forget(tie)
    expect(await shown(world)).toEqual(['Noor false 1 noor', 'u7 true 1 u7'])
  })

  test('stays apart from that person where a memory names both, whatever ties them later', async () => {
    const { world, say, forget } = await naming()
    const both = await say({ name: 'u7', isUser: true }, { name: 'Noor' })
    const tie = await say({ name: 'Noor', aliases: ['u7'], isUser: true })
    expect(await shown(world)).toEqual(['Noor false 1 noor', 'Noor true 2 noor+u7'])
    expect((await forget(tie)).status).toBe(204)
    expect(await shown(world)).toEqual(['Noor false 1 noor', 'u7 true 1 u7'])
    expect((await forget(both)).status).toBe(204)
    expect(await shown(world)).toEqual([])
  })

  test('and something of the name of the id leave with any of their memories', async () => {
    const { world, say, forget } = await naming()
    const ids = [
      await say({ name: 'acme', isUser: true }, { name: 'Acme', type: 'ORGANIZATION' }),
      await say({ name: 'acme', isUser: true }, { name: 'Acme', type: 'THING' }),
    ]
    for (const id of ids) {
      expect((await forget(id)).status).toBe(204)
      expect(await faultsOf(world.running, world.workspaceId)).toEqual([])
    }
    expect(await shown(world)).toEqual([])
  })

  test('has the name that was told last', async () => {
    const { world, say } = await naming()
    await say({ name: 'Noor', aliases: ['u7'], isUser: true })
    await say({ name: 'Noor Haddad', aliases: ['u7', 'Noor'], isUser: true })
    await say({ name: 'u7', isUser: true })
    expect(await shown(world)).toEqual(['Noor Haddad true 3 noor+noor haddad+u7'])
  })
})

describe('a person called in short', () => {
  test('is the one who bears that name, whichever is said first', async () => {
    for (const told of [
      ['Bram de Wit', 'Bram', 'De Wit'],
      ['de Wit', 'Bram', 'Bram de Wit'],
    ]) {
      const { world, say } = await naming()
      for (const name of told) await say({ name })
      expect(await shown(world)).toEqual(['Bram de Wit false 3 bram+bram de wit+de wit'])
    }
  })

  test('is somebody apart once there are two of that name, and the one again who is left', async () => {
    const { world, say, forget } = await naming()
    await say({ name: 'Bram de Wit' })
    await say({ name: 'Bram' })
    expect(await shown(world)).toEqual(['Bram de Wit false 2 bram+bram de wit'])
    const second = await say({ name: 'Bram Jansen' })
    expect(await shown(world)).toEqual([
      'Bram Jansen false 1 bram jansen',
      'Bram de Wit false 1 bram de wit',
      'Bram false 1 bram',
    ])
    expect((await forget(second)).status).toBe(204)
    expect(await shown(world)).toEqual(['Bram de Wit false 2 bram+bram de wit'])
  })

  test('is somebody apart where a memory names both', async () => {
    const { world, say, forget } = await naming()
    const both = await say({ name: 'Bram' }, { name: 'Bram de Wit' })
    await say({ name: 'Bram' })
    expect(await shown(world)).toEqual(['Bram de Wit false 1 bram de wit', 'Bram false 2 bram'])
    expect((await forget(both)).status).toBe(204)
    expect(await shown(world)).toEqual(['Bram false 1 bram'])
  })

  test('is never the user, nor what is no person, nor somebody of whose name it is only some letters', async () => {
    const { world, say } = await naming()
    await say({ name: 'Noor Haddad', aliases: ['u7'], isUser: true })
    await say({ name: 'Noor' })
    await say({ name: 'Ada Lovelace Institute', type: 'ORGANIZATION' })
    await say({ name: 'Ada Lovelace' })
    await say({ name: 'New York', type: 'PLACE' })
    await say({ name: 'York', type: 'PLACE' })
    await say({ name: 'Joanna Bell' })
    await say({ name: 'Anna' })
    expect(await shown(world)).toEqual([
      'Ada Lovelace Institute false 1 ada lovelace institute',
      'Ada Lovelace false 1 ada lovelace',
      'Anna false 1 anna',
      'Joanna Bell false 1 joanna bell',
      'Noor Haddad true 1 noor haddad+u7',
      'Noor false 1 noor',
      'New York false 1 new york',
      'York false 1 york',
    ])
  })

  test('is not the bearer of that name where memories give another name as well', async () => {
    const { world, say } = await naming()
    await say({ name: 'Robert Smith', aliases: ['Bob'] })
    await say({ name: 'Bob' })
    await say({ name: 'Bob Jones' })
    expect(await shown(world)).toEqual(['Bob Jones false 1 bob jones', 'Robert Smith false 2 bob+robert smith'])
  })

  test('may be called by more words than one, and by fewer of these', async () => {
    const { world, say } = await naming()
    for (const name of ['Jan', 'Jan Willem', 'Jan Willem de Boer']) await say({ name })
    expect(await shown(world)).toEqual(['Jan Willem de Boer false 3 jan+jan willem+jan willem de boer'])
  })
})
