import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

/** Each entry has a text and keyword queries that find it by other inflections or by parts of a run. */
const TEXTS: readonly (readonly [language: string, text: string, queries: readonly string[]])[] = [
  ['English', 'The children went to two universities last summer', ['child university', 'go', '"went to two"']],
  ['German', 'Die alten Häuser am Fluss werden nächstes Jahr verkauft', ['Haus', 'altes Haus', '"alten Häuser"']],
  ['French', 'Les enfants ont mangé toutes les pommes rouges du jardin', ['enfant pomme', 'jardins', "l'enfant"]],
  ['Spanish', 'Los gatos dormían en las sillas viejas de la cocina', ['gato silla', 'vieja', 'cocinas']],
  ['Italian', 'I bambini hanno giocato con le biciclette nei giardini', ['bambino', 'bicicletta giardino']],
  ['Portuguese', 'As crianças compraram muitos livros antigos na feira da cidade', ['criança livro', 'cidades']],
  ['Russian', 'Мы купили новые книги в маленьком магазине возле дома', ['книга', 'магазин', 'новая книга']],
  ['Arabic', 'اشترى الطلاب كتبا جديدة من المكتبة الكبيرة في المدينة', ['مكتبة', 'مدينة']],
  ['Hebrew', 'קניתי שלושה ספרים חדשים בחנות ליד התחנה', ['ספרים', 'חדשים בחנות']],
  ['Hindi', 'बच्चों ने कल पुस्तकालय में बहुत सारी किताबें पढ़ीं', ['किताब', 'किताबों']],
  ['Turkish', 'Çocuklar dün akşam evde bütün kitapları okudular', ['kitap', 'çocuk']],
  ['Japanese', '東京駅の近くで新しい寿司屋を見つけました', ['寿司', '東京駅']],
  ['Chinese', '我每天早上都喜欢喝一杯绿茶', ['绿茶', '早上']],
  ['Korean', '저는 서울에서 매일 아침 커피를 마셔요', ['커피', '서울']],
  ['Thai', 'ฉันชอบดื่มกาแฟเย็นทุกเช้าก่อนไปทำงาน', ['กาแฟ', 'ทุกเช้า']],
]

beforeAll(() => service())

async function found(client: Client, query: string, mode = 'keyword'): Promise<string[]> {
  const { body } = await client.get('/v1/memories/search', { query: { query, mode } })
  return body.data.map((memory: { memory: string }) => memory.memory)
}

describe('texts of many languages in one workspace', () => {
  let client: Client
  beforeAll(async () => {
    client = (await (await service()).account()).client
    await client.post('/v1/memories/batch', { memories: TEXTS.map(([, memory]) => ({ memory })) })
  })

  test.each(TEXTS.flatMap(([language, text, queries]) => queries.map(query => [language, query, text] as const)))(
    '%s is found by %s',
    async (_, query, text) => {
      expect(await found(client, query)).toEqual([text])
      expect((await found(client, query, 'hybrid'))[0]).toBe(text)
    },
  )

  test('identifiers, versions and names in code are found whole and in parts', async () => {
    const text = 'Im Modul src/queue/worker.ts wirft getUserById seit v4.1.12 den Fehler TS2345 bei snake_case'
    await client.post('/v1/memories', { memory: text })
    const queries = [
      'src/queue/worker.ts',
      'worker.ts',
      'TS2345',
      'v4.1.12',
      '4.1.12',
      'getUserById',
      'user by',
      'snake_case',
      'case',
    ]
    for (const query of queries) expect(await found(client, query)).toEqual([text])
    for (const query of ['TS234', 'v4.1.1', 'getUsersById']) expect(await found(client, query)).toEqual([])
  })
})

describe("a workspace's language", () => {
  test('applies to all its texts, to earlier ones after re-indexing', async () => {
    const { client, workspaceId } = await (await service()).account()
    // The text is too short to detect its language.
    await client.post('/v1/memories', { memory: 'Häuser' })
    expect(await found(client, 'Haus')).toEqual([])
    await client.patch(`/v1/workspaces/${workspaceId}`, { settings: { language: 'de' } })
    await until('the text was read anew', async () => (await found(client, 'Haus')).length === 1, 90_000)
    await client.post('/v1/memories', { memory: 'Gärten' })
    expect(await found(client, 'Garten')).toEqual(['Gärten'])
    await client.patch(`/v1/workspaces/${workspaceId}`, { settings: { language: null } })
    await until('it is told by itself again', async () => (await found(client, 'Haus')).length === 0, 90_000)
    expect(await found(client, 'Häuser')).toEqual(['Häuser'])
  })
})
