import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  INodeProperties,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow'
import { request } from './request.ts'

const only = (...operation: string[]) => ({ show: { operation } })

const properties: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    default: 'context',
    options: [
      { name: 'Add', value: 'add', action: 'Add a memory', description: 'Remember a text' },
      {
        name: 'Context',
        value: 'context',
        action: 'Get context',
        description: 'What is known that bears on a message, as one text for a prompt',
      },
      {
        name: 'Search',
        value: 'search',
        action: 'Search memories',
        description: 'Memories by meaning and by words, best first',
      },
    ],
  },
  {
    displayName: 'Text',
    name: 'memory',
    type: 'string',
    typeOptions: { rows: 3 },
    required: true,
    default: '',
    displayOptions: only('add'),
    description: 'A sentence that can be understood by itself, with names and dates',
  },
  {
    displayName: 'Query',
    name: 'query',
    type: 'string',
    required: true,
    default: '',
    displayOptions: only('search', 'context'),
    description: 'The message or question',
  },
  {
    displayName: 'User ID',
    name: 'userId',
    type: 'string',
    default: '',
    description:
      'Whose memories are meant. All users of the workspace when it is empty; a memory that is added then belongs to the user "default".',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 10,
    displayOptions: only('search'),
    description: 'Max number of results to return',
  },
  {
    displayName: 'More Fields',
    name: 'more',
    type: 'json',
    default: '{}',
    description:
      'Further fields of the request as JSON: "metadata" or "categories" of a memory, "filter" or "mode" of a search, "max_characters" of a context',
  },
]

export class Mneme implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Mneme',
    name: 'mneme',
    icon: 'file:mneme.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Remembers, and knows it again: memory for AI agents',
    defaults: { name: 'Mneme' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'mnemeApi', required: true }],
    properties,
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = []
    for (const item of this.getInputData().keys()) {
      const pairedItem = { item }
      try {
        for (const json of await OPERATIONS[this.getNodeParameter('operation', item) as Operation](this, item)) {
          results.push({ json, pairedItem })
        }
      } catch (error) {
        if (!this.continueOnFail()) throw error
        results.push({ json: { error: String((error as Error).message) }, pairedItem })
      }
    }
    return [results]
  }
}

type Operation = keyof typeof OPERATIONS

const OPERATIONS = {
  /** A workflow that runs again finds its text stored already, which is no failure. */
  async add(context: IExecuteFunctions, item: number) {
    const memory = context.getNodeParameter('memory', item)
    const stored = await request(context, 'POST', '/v1/memories', { ...given(context, item), memory }, [
      'DUPLICATE_MEMORY',
    ])
    return ['id' in stored ? { ...stored, stored: true } : { stored: false, message: stored.message }] as IDataObject[]
  },
  async search(context: IExecuteFunctions, item: number) {
    const limit = context.getNodeParameter('limit', item)
    const found = await request(context, 'POST', '/v1/memories/search', { limit, ...asked(context, item) })
    return found.data as IDataObject[]
  },
  async context(context: IExecuteFunctions, item: number) {
    return [await request(context, 'POST', '/v1/context', asked(context, item))]
  },
}

function asked(context: IExecuteFunctions, item: number): IDataObject {
  return { ...given(context, item), query: context.getNodeParameter('query', item) }
}

function given(context: IExecuteFunctions, item: number): IDataObject {
  const more = context.getNodeParameter('more', item)
  const user = context.getNodeParameter('userId', item)
  const fields: IDataObject = typeof more === 'string' ? JSON.parse(more || '{}') : { ...(more as IDataObject) }
  return user ? { ...fields, user_id: user } : fields
}
