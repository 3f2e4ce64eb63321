import { Type } from '@sinclair/typebox'
import { instant, oneOf, pageParameters, text, uuid } from 'mneme/plugin'
import { identifier, timezoneField } from '../memories/contract.ts'
import { ENTITY_TYPES, RELATION_TYPES } from './contract.ts'

/** Schemas of requests and responses. */

export const SEARCH_TEXT_MAX = 500
export const QUESTION_MAX = 1000
export const NAME_MAX = 500

const userId = (description: string) => Type.Optional(identifier(description))
const entityType = (description: string) => Type.Optional(oneOf(ENTITY_TYPES, { description }))
const asOf = Type.Optional(instant({ description: 'The graph as it was known at this instant; left out: now.' }))
const includeHistory = Type.Boolean({ default: false, description: 'Adds relationships that hold no more.' })
const limit = (standard: number, maximum: number, description: string) =>
  Type.Integer({ minimum: 1, maximum, default: standard, description })

export const entityParams = Type.Object({ id: uuid({ description: "The entity's id." }) })

export const entitiesQuery = Type.Object({
  user_id: userId('Entities of this user.'),
  type: entityType('Entities of this type.'),
  as_of: asOf,
  ...pageParameters,
})

export const relationshipsQuery = Type.Object({ as_of: asOf, include_history: includeHistory })

export const searchQuery = Type.Object({
  query: text({
    minLength: 1,
    maxLength: SEARCH_TEXT_MAX,
    notBlank: true,
    description: 'A name, or what the entity is.',
    examples: ['the company in Hamburg'],
  }),
  user_id: userId('Entities of this user.'),
  type: entityType('Entities of this type.'),
  limit: limit(10, 50, 'Entities at most.'),
})

export const traverseQuery = Type.Object({
  from: uuid({ description: 'The entity to start from.' }),
  depth: Type.Integer({ minimum: 1, maximum: 3, default: 2, description: 'Steps away from it at most.' }),
  relationship_type: Type.Optional(oneOf(RELATION_TYPES, { description: 'Follows relationships of this type only.' })),
  entity_type: entityType('Walks over entities of this type only; the start may be of any.'),
  limit: limit(50, 100, 'Relationships at most, the nearest and then the strongest.'),
  as_of: asOf,
  include_history: includeHistory,
})

export const overviewQuery = Type.Object({
  user_id: userId('The graph of this user.'),
  entity_type: entityType('Entities of this type, and relationships between them.'),
  relationship_type: Type.Optional(oneOf(RELATION_TYPES, { description: 'Relationships of this type.' })),
  min_weight: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Relationships of this weight at least.' }),
  ),
  as_of: asOf,
  include_history: includeHistory,
  limit: limit(500, 5_000, 'Entities at most, the most connected.'),
  edges_limit: limit(2_000, 20_000, 'Relationships at most, the strongest.'),
})

export const questionBody = Type.Object({
  query: text({
    minLength: 1,
    maxLength: QUESTION_MAX,
    notBlank: true,
    description: 'A question.',
    examples: ['Where does Ada work?'],
  }),
  user_id: userId('Whose graph is asked; "I" in the question is this user.'),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      default: 10,
      description: 'Entities considered at most; 10 when left out.',
    }),
  ),
  as_of: asOf,
  timezone: timezoneField,
})

const id = (description: string) => Type.String({ format: 'uuid', description })
const string = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const timeOrNull = (description: string) => Type.Union([time(description), Type.Null()], { description })
const count = (description: string) => Type.Integer({ description })
const oneOfTypes = <T extends string>(types: readonly T[], description: string) =>
  Type.Union(
    types.map(value => Type.Literal(value)),
    { description },
  )

const reference = {
  id: id("The entity's id."),
  name: string('Its name, as a memory writes it.'),
  type: oneOfTypes(ENTITY_TYPES, 'What it is.'),
}
const entityReference = Type.Object(reference, {
  title: 'EntityReference',
  description: 'An entity by id, name and type.',
})
const description = Type.Union([Type.String(), Type.Null()], { description: 'What it is, in short.' })
const weight = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Grows with independent evidence and decays with age.',
})

export const entityPage = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        { ...reference, description, created_at: time('When it was first noted.') },
        { title: 'ListedEntity' },
      ),
      {
        description: 'The entities of the page.',
      },
    ),
    total: count('All there are, on every page.'),
    page: count('The page, from 1.'),
    page_size: count('Items on a page.'),
  },
  { title: 'ListedEntityPage' },
)

export const entityAnswer = Type.Object(
  {
    ...reference,
    description,
    metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'What else is known of it.',
    }),
    user_id: string('Whose memories name it.'),
    aliases: Type.Array(Type.String(), { description: 'Other names it goes by.' }),
    relationships_count: count('Relationships that hold now.'),
    related_memories_count: count('Visible memories that name it.'),
    created_at: time('When it was first noted.'),
    updated_at: time('When it was last changed.'),
  },
  { title: 'Entity' },
)

/** Fields that every representation of a relationship shares beside its ends and its memories. */
const relationshipFields = {
  id: id("The relationship's id."),
  type: oneOfTypes(RELATION_TYPES, 'What it says.'),
  weight,
  current: Type.Boolean({ description: 'Whether it holds, at `as_of` or now.' }),
  valid_from: timeOrNull('Since when, where the memories say so.'),
  valid_to: timeOrNull('Until when; null while it holds and no end is known.'),
}
const relationship = {
  ...relationshipFields,
  memory_ids: Type.Array(Type.String({ format: 'uuid' }), {
    description: 'The memories that say so, the newest first; at most 50.',
  }),
}

export const relationshipsAnswer = Type.Object({
  entity_id: id("The entity's id."),
  entity_name: string("The entity's name."),
  outgoing: Type.Array(Type.Object({ ...relationship, target: entityReference }, { title: 'OutgoingRelationship' }), {
    description: 'From the entity to others, and what is the same from either end; the strongest first.',
  }),
  incoming: Type.Array(Type.Object({ ...relationship, source: entityReference }, { title: 'IncomingRelationship' }), {
    description: 'From others to the entity; the strongest first.',
  }),
  outgoing_total: count('Outgoing ones in all; at most 1,000 are shown.'),
  incoming_total: count('Incoming ones in all; at most 1,000 are shown.'),
})

export const foundEntities = Type.Array(
  Type.Object(
    {
      ...reference,
      description,
      score: Type.Number({ minimum: 0, maximum: 1, description: 'How near it is to the query.' }),
    },
    { title: 'FoundEntity' },
  ),
)

export const traversalAnswer = Type.Object({
  nodes: Type.Array(entityReference, { description: 'The start, then the others, the nearest first.' }),
  edges: Type.Array(
    Type.Object(
      { ...relationship, source: id('Id of the one end.'), target: id('Id of the other.') },
      { title: 'GraphEdge' },
    ),
    { description: 'The nearest first, then the strongest. Both ends of each are among the nodes.' },
  ),
})

export const overviewAnswer = Type.Object(
  {
    nodes: Type.Array(
      Type.Object(
        {
          ...reference,
          description,
          user_id: string(
            'The memories of this user name it. Users have entities of their own, also under the same name.',
          ),
          is_user: Type.Boolean({ description: 'Whether it is the user in person.' }),
          relationships_count: count(
            'Its relationships that pass the filters, among these also such as are not shown.',
          ),
          known_from: time('When a memory first named it.'),
        },
        { title: 'OverviewNode' },
      ),
      { description: 'The most connected first.' },
    ),
    edges: Type.Array(
      Type.Object(
        {
          ...relationshipFields,
          weight: Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'The weight is at most a day old, also with `as_of`.',
          }),
          source: id('Id of the one end.'),
          target: id('Id of the other.'),
          known_from: time('When a memory first said so.'),
          known_to: timeOrNull('When a memory ended it; null while none has, or none had at `as_of`.'),
        },
        { title: 'OverviewEdge' },
      ),
      { description: 'The strongest first. Both ends of each are among the nodes.' },
    ),
    total_nodes: count('Entities that pass the filters.'),
    total_edges: count('Relationships that pass the filters.'),
  },
  { title: 'GraphOverview' },
)

export const questionAnswer = Type.Object({
  answer: string('A sentence.'),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: '0.5 or more for what rests on a relationship, 0.2 or less where nothing is known.',
  }),
  entities_used: Type.Array(entityReference, {
    description: 'The entities that the answer rests on, no others.',
  }),
})
