import { CONFORMANCE_TEXTS } from '../extractor.conformance.ts'

export interface Told {
  readonly entities?: readonly (readonly [name: string, type: string])[]
  readonly relations?: readonly (readonly [
    source: string,
    type: string,
    target: string,
    quote: string,
    extra?: object,
  ])[]
  readonly endings?: readonly (readonly [
    source: string,
    type: string,
    target: string | null,
    quote: string,
    extra?: object,
  ])[]
  readonly statements?: readonly string[]
  readonly user_name?: string
}

/** A completion about one memory, with all fields given. */
export function told(
  n: number,
  { entities = [], relations = [], endings = [], statements = [], user_name }: Told = {},
) {
  return {
    n,
    user_name: user_name ?? null,
    entities: entities.map(([name, type]) => ({ name, type, aliases: [], confidence: 0.9 })),
    relations: relations.map(([source, type, target, quote, extra]) => ({
      source,
      type,
      target,
      quote,
      closes: false,
      valid_from: null,
      valid_to: null,
      confidence: 0.9,
      ...extra,
    })),
    endings: endings.map(([source, type, target, quote, extra]) => ({
      source,
      type,
      target,
      quote,
      valid_to: null,
      confidence: 0.9,
      ...extra,
    })),
    statements: statements.map(quote => ({ quote, category: 'general', confidence: 0.9 })),
  }
}

/** Completions of a good model for the texts of the conformance suite. */
export const KNOWN: Readonly<Record<string, Told>> = {
  [CONFORMANCE_TEXTS.third]: {
    entities: [
      ['Ada Okafor', 'PERSON'],
      ['Northwind Labs', 'ORGANIZATION'],
      ['Lisbon', 'PLACE'],
    ],
    relations: [
      ['Ada Okafor', 'WORKS_AT', 'Northwind Labs', 'works at Northwind Labs'],
      ['Ada Okafor', 'LIVES_IN', 'Lisbon', 'She lives in Lisbon'],
    ],
  },
  [CONFORMANCE_TEXTS.first]: {
    entities: [
      ['Lisbon', 'PLACE'],
      ['Sofia', 'PERSON'],
    ],
    relations: [
      ['USER', 'LIVES_IN', 'Lisbon', 'I live in Lisbon'],
      ['USER', 'MARRIED_TO', 'Sofia', 'my wife is Sofia'],
    ],
  },
  [CONFORMANCE_TEXTS.named]: {
    user_name: 'Noor Rahman',
    entities: [
      ['Noor Rahman', 'PERSON'],
      ['Philips', 'ORGANIZATION'],
    ],
    relations: [['USER', 'WORKS_AT', 'Philips', 'I work for Philips']],
  },
  [CONFORMANCE_TEXTS.ended]: {
    entities: [
      ['Kenji Watanabe', 'PERSON'],
      ['Rakuten', 'ORGANIZATION'],
    ],
    relations: [['Kenji Watanabe', 'WORKS_AT', 'Rakuten', 'left Rakuten in 2021', { closes: true, valid_to: '2021' }]],
  },
  // As a model that was not told that it is a document.
  [CONFORMANCE_TEXTS.document]: {
    user_name: 'Jane Doe',
    entities: [
      ['Jane Doe', 'PERSON'],
      ['Paris', 'PLACE'],
    ],
    relations: [['USER', 'LIVES_IN', 'Paris', 'Lives in Paris']],
  },
  [CONFORMANCE_TEXTS.over]: { endings: [['USER', 'WORKS_AT', null, 'I got laid off']] },
  [CONFORMANCE_TEXTS.single]: {
    entities: [['Marta Silva', 'PERSON']],
    endings: [['Marta Silva', 'MARRIED_TO', null, 'single again']],
  },
}
