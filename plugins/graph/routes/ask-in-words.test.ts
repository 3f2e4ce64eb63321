import { beforeAll, describe, expect, test } from 'bun:test'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'

let world: GraphWorld

/** Ana lived in Paris and lives in Lisbon, was married to Rolf and is to Otto, has a dog, gave up Java, learns Italian. */
beforeAll(async () => {
  world = await graphWorld()
  const ana = await world.entity('Ana Lind', 'PERSON', { aliases: ['Ana', 'ada'], isUser: true })
  const edge = async (type: Parameters<GraphWorld['edge']>[1], target: string, text?: string, to?: string) => {
    const memories = text === undefined ? {} : { memories: [await world.remember(text)] }
    await world.edge(ana, type, target, { ...memories, ...(to === undefined ? {} : { to }) })
  }
  const lisbon = await world.entity('Lisbon', 'PLACE')
  await edge('LIVES_IN', await world.entity('Paris', 'PLACE'), undefined, '2026-02-01')
  await edge('LIVES_IN', lisbon)
  await edge('MARRIED_TO', await world.entity('Rolf'), undefined, '2026-02-01')
  await edge('MARRIED_TO', await world.entity('Otto'))
  await edge('OWNS', await world.entity('Rex', 'THING'), 'I have a dog called Rex.')
  await edge('USES_TECHNOLOGY', await world.entity('Java', 'THING'), undefined, '2026-02-01')
  await edge('USES_TECHNOLOGY', await world.entity('Rust', 'THING'))
  await edge('INTERESTED_IN', await world.entity('chess', 'THING'), 'I am into chess.')
  await edge('INTERESTED_IN', await world.entity('Italian', 'THING'), 'I am learning Italian.')
  await edge('DISLIKES', await world.entity('karaoke', 'THING'))
  await edge('WORKS_AT', await world.entity('Initech', 'ORGANIZATION'))
  const grace = await world.entity('Grace')
  await world.edge(grace, 'LIVES_IN', await world.entity('Porto', 'PLACE'))
  const pedro = await world.entity('Pedro Costa')
  await world.edge(await world.entity('Marta Silva'), 'KNOWS', pedro)
  await world.edge(pedro, 'MARRIED_TO', await world.entity('Ines Costa'))
})

const ask = async (query: string): Promise<string> => {
  const { status, body } = await world.client.post('/v1/graph/query', { query, user_id: 'ada' })
  expect(status).toBe(200)
  return body.answer
}

describe('POST /v1/graph/query', () => {
  test.each([
    ['What is my dog called?', /^Ana Lind owns Rex\./],
    ['Do I have a dog?', /^Yes\. Ana Lind owns Rex\./],
    ['Do I have a cat?', /^I do not know\.$/],
    ['What pets do I have?', /^Ana Lind owns Rex\./],
    ['Tell me about Grace', /^Grace lives in Porto\.$/],
    ['What can you tell me about Grace?', /^Grace lives in Porto\.$/],
    ['Tell me where I live', /^Ana Lind lives in Lisbon\.$/],
    ['What am I learning?', /^Ana Lind is interested in Italian\./],
    ['What am I interested in?', /chess/],
    ['How are Marta and Ines connected?', /^Marta Silva knows Pedro Costa; Pedro Costa is married to Ines Costa\.$/],
    ['Where is Ana?', /^Ana Lind lives in Lisbon\.$/],
    ['Where did I leave my keys?', /^I do not know\.$/],
    ['What is my last name?', /^I do not know\.$/],
    ["What is Ana's middle name?", /^I do not know\.$/],
    ['What is my shoe size?', /^I do not know\.$/],
    ['What is my phone number?', /^I do not know\.$/],
    ['What is my job title?', /^I do not know\.$/],
    ['What is my salary?', /^I do not know\.$/],
    ['¿Cuál es mi apellido?', /^No lo sé\.$/],
    ["Who doesn't like karaoke?", /^Ana Lind dislikes karaoke\.$/],
    ["What doesn't Ana like?", /^Ana Lind dislikes karaoke\.$/],
    ['Was Ana married to Rolf?', /^Yes\. Ana Lind was married to Rolf/],
    ['Is Rolf my husband?', /^No, not any more\. .*Rolf/],
    ['Is Otto my husband?', /^Yes\. .*Otto/],
    ['Mit wem arbeite ich?', /^Das weiß ich nicht\.$/],
    ['Avec qui est-ce que je travaille ?', /^Je ne sais pas\.$/],
    ['Was nutze ich?', /^Ana Lind (?!.*Java).*Rust\.$/],
    ['Was mag ich nicht?', /^Ana Lind .*karaoke\.$/],
    ['Was ist Initech?', /^Ana Lind arbeitet bei Initech\.$/],
    ['Mit wem war ich verheiratet?', /Rolf(?!.*Otto)/],
    ['Mit wem bin ich verheiratet?', /Otto(?!.*Rolf)/],
    ['Bin ich mit Rolf verheiratet?', /^Nein, nicht mehr\./],
    ['Bin ich verheiratet?', /^Ja\. .*Otto/],
    ['Est-ce que je suis mariée ?', /^Oui\. .*Otto/],
    ['¿Estoy casada?', /^Sí\. .*Otto/],
    ['¿Dónde vivo?', /^Ana Lind vive en Lisbon\.$/],
    ['¿Dónde nací?', /^No lo sé\.$/],
    ['¿Dónde trabajo?', /^Ana Lind trabaja en Initech\.$/],
    ['¿Con quién estoy casada?', /Otto(?!.*Rolf)/],
    ['¿Vivo en Paris?', /^No, ya no\./],
    ['Où est-ce que je vivais avant Lisbon ?', /^Ana Lind habitait à Paris/],
  ])('%s', async (question, answer) => {
    expect(await ask(question)).toMatch(answer)
  })
})
