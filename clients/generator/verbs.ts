import { type Description, type Field, type Operation, pascal, type Shape } from './describe.ts'

/**
 * The verbs of the clients by what they are about. Each names an operation, then the fields that are given without their names, fields
 * that the verb sets, and the model that comes of it where the operation has several.
 */
const VERBS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  memories: {
    create: 'createMemory memory',
    createMany: 'createMemoryBatch memories',
    list: 'listMemories',
    get: 'getMemory id',
    update: 'updateMemory id',
    delete: 'deleteMemory id',
    deleteAll: 'deleteMemories',
    history: 'listMemoryHistory id',
    promote: 'promoteMemory id',
    restore: 'restoreMemory id',
    reprocess: 'reprocessMemory id',
    reprocessMany: 'reprocessMemories',
    feedback: 'giveFeedback id signal',
    categories: 'listCategories',
    usersAndAgents: 'listUsersAndAgents',
  },
  users: { list: 'listUsers', delete: 'deleteNamedUser user_id', erasure: 'getErasure id' },
  searches: {
    run: 'searchMemories query',
    explain: 'explainSearch',
    balance: 'getSearchBalance',
    resetBalance: 'resetSearchBalance',
  },
  graph: {
    ask: 'askGraph query',
    entities: 'listEntities',
    entity: 'getEntity id',
    relationships: 'listRelationships id',
    search: 'searchEntities query',
    traverse: 'traverseGraph from',
  },
  knowledge: {
    list: 'listKnowledge -> KnowledgeEntryPage',
    merged: 'listKnowledge merged=true -> MergedProfile',
    get: 'getKnowledge id',
    update: 'updateKnowledge id',
    delete: 'deleteKnowledge id',
    compile: 'compileKnowledge',
  },
  conversations: {
    create: 'createConversation messages',
    get: 'getConversation id',
    reprocess: 'reprocessConversation id',
  },
  exports: {
    create: 'createExport',
    list: 'listExports',
    get: 'getExport id',
    delete: 'deleteExport id',
    download: 'downloadExport id',
  },
  imports: { create: 'createImport file', list: 'listImports', get: 'getImport id' },
  documents: {
    ingest: 'ingestDocument',
    list: 'listIngestJobs',
    get: 'getIngestJob id',
    cancel: 'cancelIngestJob id',
    delete: 'deleteIngestJob id',
    memories: 'listIngestJobMemories id',
  },
  templates: {
    create: 'createTemplate',
    list: 'listTemplates',
    get: 'getTemplate id',
    update: 'updateTemplate id',
    delete: 'deleteTemplate id',
    preview: 'previewTemplate id',
    apply: 'applyTemplate id',
    builtIn: 'listBuiltInTemplates',
    copyBuiltIn: 'copyBuiltInTemplate key',
  },
  webhooks: {
    create: 'createWebhook',
    list: 'listWebhooks',
    get: 'getWebhook id',
    update: 'updateWebhook id',
    delete: 'deleteWebhook id',
    rotateSecret: 'rotateWebhookSecret id',
    test: 'testWebhook id',
    deliveries: 'listDeliveries id',
    redeliver: 'redeliverDelivery id delivery_id',
    redeliverFailed: 'redeliverFailedDeliveries id',
    eventKinds: 'listEventKinds',
  },
  dashboard: {
    summary: 'getDashboardSummary',
    activity: 'listActivity',
    memories: 'getMemoryChart',
    requests: 'getRequestChart',
    tokens: 'getTokenChart',
    quality: 'getSearchQuality',
    categories: 'getCategoryShares',
    topQueries: 'listTopQueries',
    alerts: 'listAlerts',
    diagnosis: 'diagnoseSearches',
  },
  workspaces: {
    create: 'createWorkspace',
    list: 'listWorkspaces',
    get: 'getWorkspace id',
    update: 'updateWorkspace id',
    delete: 'deleteWorkspace id',
  },
  keys: {
    create: 'createApiKey',
    list: 'listApiKeys',
    update: 'updateApiKey id',
    revoke: 'revokeApiKey id',
    rotate: 'rotateApiKey id',
    permissions: 'listPermissions',
  },
  server: { health: 'getHealth', readiness: 'getReadiness' },
}

export interface Verb {
  readonly name: string
  readonly operation: Operation
  /** The fields that are given in order, without their names. */
  readonly first: readonly Field[]
  readonly rest: readonly Field[]
  readonly fixed: Readonly<Record<string, string>>
  readonly output: Operation['output']
}

export interface Group {
  readonly name: string
  /** The name of its type: `KnowledgeVerbs`. */
  readonly type: string
  readonly verbs: readonly Verb[]
}

/** Joins the verbs with their operations. @throws Error where the document lacks an operation or a field that a verb names */
export function groupVerbs({ operations, models }: Description): Group[] {
  return Object.entries(VERBS).map(([name, verbs]) => ({
    name,
    type: `${pascal(name)}Verbs`,
    verbs: Object.entries(verbs).map(([verb, line]) => {
      const [call = '', named] = line.split(' -> ')
      const [id, ...words] = call.split(' ')
      const operation = operations.find(each => each.name === id)
      if (!operation) throw new Error(`the verb ${name}.${verb} names the operation ${id}, which the document lacks`)
      if (named !== undefined && !models.some(model => model.name === named))
        throw new Error(`the verb ${name}.${verb} names the model ${named}, which the document lacks`)
      const fixed = Object.fromEntries(words.filter(word => word.includes('=')).map(word => word.split('=')))
      const first = words.filter(word => !word.includes('=')).map(word => fieldOf(operation, word))
      const output: Shape | undefined = named === undefined ? undefined : { kind: 'model', name: named }
      return {
        name: verb,
        operation,
        first: first.map(field => ({ ...field, isRequired: true })),
        rest: operation.input.filter(field => !first.includes(field) && !(field.name in fixed)),
        fixed,
        output: output ?? operation.output,
      }
    }),
  }))
}

function fieldOf({ name, input }: Operation, wanted: string): Field {
  const found = input.find(field => field.name === wanted)
  if (!found) throw new Error(`the operation ${name} has no field ${wanted}`)
  return found
}

/**
 * Finds the operations that give the state of work in the background, with a field by which its object is known: one that no other of
 * these objects has.
 */
export function waitedFor({
  operations,
  models,
}: Description): { readonly operation: string; readonly model: string; readonly field: string }[] {
  const fieldsOf = (name: string) => models.find(model => model.name === name)?.fields ?? []
  const candidates = operations.flatMap(({ name, route, output }) => {
    if (!/^GET [^{]*\{id\}(\{\?|$)/.test(route) || typeof output !== 'object' || output.kind !== 'model') return []
    const status = fieldsOf(output.name).find(field => field.name === 'status')?.shape
    return status?.kind === 'words' && status.words.includes('COMPLETED')
      ? [{ operation: name, model: output.name }]
      : []
  })
  return candidates.map(({ operation, model }) => {
    const others = candidates.filter(other => other.model !== model).flatMap(other => fieldsOf(other.model))
    const own = fieldsOf(model).find(({ name, isRequired }) => isRequired && !others.some(other => other.name === name))
    if (!own) throw new Error(`no field tells a ${model} from other work in the background`)
    return { operation, model, field: own.name }
  })
}
