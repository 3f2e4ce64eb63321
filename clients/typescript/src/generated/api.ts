// Generated from the service's OpenAPI document by clients/generate.ts: a change by hand is lost.

import { MnemeError } from '../errors.ts'
import type { Pages } from '../pages.ts'
import type { RequestOptions } from '../requests.ts'

export interface AcceptInvitationResult {
  /** The workspace. */
  workspace_id: string
  /** Its name. */
  workspace_name: string
  /** viewer: reads; editor: writes data, too; admin: deletes, keys, webhooks and settings, too; owner: all. */
  role: 'viewer' | 'editor' | 'admin' | 'owner'
}

/** The account. */
export interface Account {
  /** Id of the account. */
  id: string
  /** Its e-mail address. */
  email: string
  /** Its name. */
  name: string
  /** Always true: no mail is sent. */
  emailVerified: boolean
  /** Always null. */
  image: string | null
  /** When it was made. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

/** The account. */
export interface AccountSummary {
  /** Id of the account. */
  id: string
  /** Its e-mail address. */
  email: string
  /** Its name. */
  name: string
}

export interface Activity {
  /** The event's id. */
  id: string
  /** The kind of event, as `memory.created`. */
  event_type: string
  /** The same for people. */
  label: string
  /** The user it concerns. */
  user_id: string | null
  /** What it happened to. */
  resource_id: string | null
  /** Who did it; null for what happened by itself. */
  actor: ActivityActor | null
  /** When it happened. */
  created_at: string
}

export interface ActivityActor {
  /** A signed-in account, or an API key. */
  type: 'account' | 'key'
  /** The e-mail address of the account, or the name of the key; null once it is gone. */
  name: string | null
}

export interface ActivityPage {
  /** Events, newest first. */
  data: Activity[]
  /** All there are; those of one user, or of a period, are counted up to 10,000. */
  total: number
  /** This page. */
  page: number
  /** Events on a page. */
  page_size: number
}

export interface Alert {
  /** The alert's id. */
  id: string
  /** What it is about. */
  type: 'QUOTA_WARNING' | 'SEARCH_QUALITY_DROP' | 'ZERO_RESULT_SPIKE' | 'PROCESSING_FAILURES' | 'PROCESSING_BACKLOG' | 'WEBHOOK_FAILING'
  /** How much it matters. */
  severity: 'INFO' | 'WARNING' | 'CRITICAL'
  /** A few words. */
  title: string
  /** What is the matter. */
  message: string
  /** When it was raised. */
  created_at: string
  /** When it was over; null while it lasts. */
  resolved_at: string | null
}

export interface ApiKey {
  /** The key's id. */
  id: string
  /** Its name. */
  name: string
  /** The first characters of the key. */
  prefix: string
  /** What it may do. */
  permissions: string[]
  /** The workspace it belongs to. */
  workspace_id: string
  /** Further workspaces it may use. */
  workspace_ids: string[]
  /** `test` works on the workspace's test twin. */
  mode: 'live' | 'test'
  /** It is bound to this user; null: to nobody. */
  user_id: string | null
  /** It is bound to this agent as well. */
  agent_id: string | null
  /** When it stops working; null: never. */
  expires_at: string | null
  /** When it was last used, within half a minute. */
  last_used_at: string | null
  /** When it was made. */
  created_at: string
}

export interface ApiKeyPage {
  /** The items of the page. */
  data: ApiKey[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface ApiKeyWithSecret {
  /** The key's id. */
  id: string
  /** Its name. */
  name: string
  /** The first characters of the key. */
  prefix: string
  /** What it may do. */
  permissions: string[]
  /** The workspace it belongs to. */
  workspace_id: string
  /** Further workspaces it may use. */
  workspace_ids: string[]
  /** `test` works on the workspace's test twin. */
  mode: 'live' | 'test'
  /** It is bound to this user; null: to nobody. */
  user_id: string | null
  /** It is bound to this agent as well. */
  agent_id: string | null
  /** When it stops working; null: never. */
  expires_at: string | null
  /** When it was last used, within half a minute. */
  last_used_at: string | null
  /** When it was made. */
  created_at: string
  /** The key itself. It is stored nowhere and never shown again. */
  key: string
}

export interface ApplyTemplateResult {
  /** How many were stored. */
  memories_created: number
  /** How many were left out, as the workspace has their text already. */
  memories_skipped: number
  /** The memories that were stored, in order. */
  memories: ListedMemory[]
}

export interface AskGraphResult {
  /** A sentence. */
  answer: string
  /** 0.5 or more for what rests on a relationship, 0.2 or less where nothing is known. */
  confidence: number
  /** The entities that the answer rests on, no others. */
  entities_used: EntityReference[]
}

export interface AssembleContextResult {
  /** Markdown to put into a prompt; empty where nothing is known. */
  context: string
  /** The memories in the context, in its order. */
  memories: AssembleContextResultMemory[]
  /** The query, for feedback on its memories. */
  query_hash: string
  /** What was missing, such as a model that is unavailable. */
  warning?: string | undefined
}

export interface AssembleContextResultMemory {
  /** The memory. */
  id: string
  /** How well it fits, comparable within this response. */
  score: number
  /** Whether only a part of its text is in the context. */
  excerpt: boolean
  /** Whether it tells only what holds no more, by the graph; the context says so. */
  ended: boolean
}

/** The error that a request for this item alone would receive. */
export interface BatchItemError {
  /** The HTTP status. */
  status_code: number
  /** The standard HTTP status text. */
  error: string
  /** A sentence for people. */
  message: string
  /** A stable code for programs. */
  error_code: string
  /** On validation errors: every field at fault. */
  details?: BatchItemErrorDetail[] | undefined
}

export interface BatchItemErrorDetail {
  /** The path of the field, joined by dots. */
  path: string
  /** The expected value. */
  message: string
}

export interface BatchItemFailed {
  /** The status that a request for this item alone would receive. */
  status: number
  error: BatchItemError
}

export interface BatchItemStored {
  /** The item was stored. */
  status: '201'
  memory: StoredMemory
}

export interface BuiltInTemplate {
  /** Names it when it is copied. */
  key: string
  /** Its name. */
  name: string
  /** What it is for. */
  description: string | null
  /** Its placeholders. */
  variables: TemplateVariable[]
  /** The memories it makes, in order. */
  memories: TemplateMemory[]
}

export interface BuiltInTemplatePage {
  /** The items of the page. */
  data: BuiltInTemplate[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface CallMcpResult {
  /** The version of JSON-RPC. */
  jsonrpc: '2.0'
  /** That of the request. */
  id: string | number | null
  /** What the method returns; `content` of a tool. */
  result?: Record<string, unknown> | undefined
  /** Why there is no result. */
  error?: CallMcpResultError | undefined
}

/** Why there is no result. */
export interface CallMcpResultError {
  /** As the protocol has it. */
  code: number
  /** What is wrong. */
  message: string
  /** More about it. */
  data?: unknown | undefined
}

export interface ChangePasswordResult {
  user: Account
}

export interface CompileKnowledgeResult {
  /** What happens now. */
  message: string
}

export interface Connection {
  /** The connection's id. */
  id: string
  /** As the application calls itself. */
  client_name: string
  /** Where it had the answer sent. */
  redirect_host: string
  /** The application may do this, as far as the role of the account allows it today. */
  permissions: string[]
  /** It reads and writes only this user's; null: everything of the workspace. */
  user_id: string | null
  /** The e-mail address of the account that let it in; null where that is gone. */
  account: string | null
  /** When it was let in. */
  created_at: string
  /** When it last got an access token; it gets one each hour. */
  last_used_at: string | null
  /** When it ends unless it is used before. */
  expires_at: string
}

export interface ConnectionPage {
  /** The items of the page. */
  data: Connection[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface Conversation {
  /** The conversation's id. */
  id: string
  /** How far the search for facts is. */
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** Ids of the memories that hold its facts, in the order in which they were said; null until the conversation is COMPLETED or FAILED, and in the response to its submission. */
  memories: string[] | null
  /** How many of them were made for it. */
  memories_created: number
  /** How many of them said the same before. */
  memories_known: number
  /** Whose conversation it is. */
  user_id: string
  /** The agent it was held with. */
  agent_id: string | null
  /** The session it was held in. */
  session_id: string | null
  /** How many messages were submitted. */
  messages: number
  /** What drew the facts: `local`, the id of a language model, or both where the model was unavailable for a part. */
  extracted_by: string[]
  /** Why it failed, when it did. */
  error: string | null
  /** When it was submitted. */
  created_at: string
  /** When its status was last another. */
  updated_at: string
}

export interface ConversationRehearsal {
  /** The memories that would be made, in the order in which their facts were said; not those that say what is stored already. */
  memories: RehearsedMemory[]
  /** What drew the facts: `local`, the id of a language model, or both where the model was away for a part. */
  extracted_by: string[]
}

export interface CountPoint {
  /** The day, `YYYY-MM-DD`; a week’s Monday, a month’s first. */
  date: string
  /** How many. */
  count: number
}

export interface CreateConnectionResult {
  /** The browser goes there, once. */
  redirect_url: string
}

export interface CreateMemoryBatchResult {
  /** One result per item, in the order sent. */
  results: (BatchItemStored | BatchItemFailed)[]
}

export interface Delivery {
  /** The delivery's id, which receivers get as `webhook-id` with every attempt. */
  id: string
  /** The webhook it is for. */
  webhook_id: string
  /** The kind of event. */
  event: string
  /** FAILED after the fifth attempt, or after 24 hours. */
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  /** How many were made; a redelivery of what had ended starts again at 0. */
  attempts: number
  /** The status of the response to the last attempt; null where there was none. */
  response_code: number | null
  /** The first 2 KB of the response to the last attempt. */
  response_body: string | null
  /** Why the last attempt failed. */
  error: string | null
  /** How long the last attempt took. */
  duration_ms: number | null
  /** When it is attempted next; null once it has ended. */
  next_attempt_at: string | null
  /** When the event happened. */
  created_at: string
}

export interface DeliveryPage {
  /** The items of the page. */
  data: Delivery[]
  /** All that match, on every page; counted up to 10000. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface DiagnoseSearchesResult {
  /** Queries with the lowest scores, the lowest first. */
  worst_queries: DiagnoseSearchesResultWorstQuery[]
  /** Queries that had no result, the most frequent first. */
  zero_result_queries: DiagnoseSearchesResultZeroResultQuery[]
}

export interface DiagnoseSearchesResultWorstQuery {
  /** As it was last typed. */
  query: string
  /** How often it was searched for. */
  count: number
  /** The average score of its first result, from 0 to 1. */
  avg_score: number
  /** What can be done about it. */
  advice: string
}

export interface DiagnoseSearchesResultZeroResultQuery {
  /** As it was last typed. */
  query: string
  /** How often it had no result. */
  count: number
  /** By the newest search of it without a result: without its filters it finds memories; only words that it excludes keep them from it; it had no filter that is known of, and finds memories by now; a memory with its words has expired; or no memory matches. */
  reason: 'FILTER_TOO_NARROW' | 'EXCLUDED' | 'MATCHES_NOW' | 'EXPIRED' | 'NO_MATCH'
  /** What can be done about it. */
  advice: string
}

export interface Done {
  /** true: it is done. */
  status: boolean
}

export interface Entity {
  /** The entity's id. */
  id: string
  /** Its name, as a memory writes it. */
  name: string
  /** What it is. */
  type: 'PERSON' | 'ORGANIZATION' | 'PLACE' | 'THING'
  /** What it is, in short. */
  description: string | null
  /** What else is known of it. */
  metadata: Record<string, unknown> | null
  /** Whose memories name it. */
  user_id: string
  /** Other names it goes by. */
  aliases: string[]
  /** Relationships that hold now. */
  relationships_count: number
  /** Visible memories that name it. */
  related_memories_count: number
  /** When it was first noted. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

/** An entity by id, name and type. */
export interface EntityReference {
  /** The entity's id. */
  id: string
  /** Its name, as a memory writes it. */
  name: string
  /** What it is. */
  type: 'PERSON' | 'ORGANIZATION' | 'PLACE' | 'THING'
}

/** The erasure of a user. */
export interface Erasure {
  /** The erasure's id. */
  id: string
  /** The user's id. Once the erasure has ended, its SHA-256 with the workspace's salt, in hex. */
  user_id: string
  /** PENDING, PROCESSING, then COMPLETED; FAILED when it was given up: erase the user again. */
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** The rows that were removed, by table; null until the erasure has ended. */
  receipt: Record<string, number> | null
  /** Why it was given up. */
  error: string | null
  /** When it was asked for. */
  created_at: string
  /** When it ended: what was written later is a new user's. */
  completed_at: string | null
}

export interface EventKind {
  /** The kind. */
  event: string
  /** The kind in a few words. */
  label: string
  /** When it happens. */
  description: string
  /** A body as receivers get it. */
  example: EventKindExample
}

/** A body as receivers get it. */
export interface EventKindExample {
  /** The kind. */
  event: string
  /** When it happened. */
  timestamp: string
  /** What happened, by kind. */
  data: Record<string, unknown>
}

export interface EventKindPage {
  /** The items of the page. */
  data: EventKind[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface ExplainSearchResult {
  /** The requested memory. */
  memory_id: string
  /** Whether it is among the results. */
  found: boolean
  /** Place among the results. */
  rank: number | null
  /** The page that shows it. */
  page: number | null
  /** The number of matches, counted up to 1,000. */
  total: number
  /** Refers to this query in feedback. */
  query_hash: string
  /** Its score, or the one it would have if it passed; null when it is not indexed. */
  score: number | null
  /** How well it fits the query. */
  relevance: 'HIGH' | 'MEDIUM' | 'LOW' | null
  /** Score of the first result. */
  best_score: number | null
  /** The reasons why it is, or is not, among the results. */
  reasons: ExplainSearchResultReason[]
  /** The parts of its score. */
  explanation: ScoreExplanation | null
}

export interface ExplainSearchResultReason {
  /** A stable code for programs. */
  code: 'FOUND' | 'EXPIRED' | 'CONSOLIDATED' | 'FILTERED' | 'EXCLUDED' | 'NO_MATCH' | 'NOT_EMBEDDED' | 'BELOW_MIN_SCORE' | 'BEYOND_LAST_PAGE'
  /** A sentence for people. */
  message: string
}

export interface Export {
  /** The export's id. */
  id: string
  /** JSONL, JSON, CSV or MARKDOWN. */
  format: string
  /** How far it is. */
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** How much of it is written. */
  progress: ExportProgress
  /** The user whose memories it has; null: all users. */
  user_id: string | null
  /** The categories it has; null: all. */
  categories: string[] | null
  /** What is included. */
  include: string[]
  /** The size of the file, once it is written. An import takes at most 2 GB: of more, export each user by `user_id`, and templates by `include: ["templates"]`. */
  size_bytes: number | null
  /** SHA-256 of the file in hex, once it is written. */
  sha256: string | null
  /** Why it failed, when it did. */
  error: string | null
  /** When it was asked for. */
  created_at: string
  /** When it last moved. */
  updated_at: string
  /** Until when the file can be downloaded; null before it is written. */
  expires_at: string | null
}

export interface ExportPage {
  /** The items of the page. */
  data: Export[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

/** How much of it is written. */
export interface ExportProgress {
  /** Memories to write; null before it begins. */
  total: number | null
  /** Records written. */
  done: number
}

/** The feedback so far; null before the first signal. */
export interface FeedbackSummary {
  /** Number of POSITIVE signals. */
  positive: number
  /** Number of NEGATIVE signals. */
  negative: number
  /** Number of NEUTRAL signals. */
  neutral: number
  /** The last signal. */
  last_signal: 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL'
  /** When the last signal was given. */
  last_feedback_at: string
}

export interface FoundEntity {
  /** The entity's id. */
  id: string
  /** Its name, as a memory writes it. */
  name: string
  /** What it is. */
  type: 'PERSON' | 'ORGANIZATION' | 'PLACE' | 'THING'
  /** What it is, in short. */
  description: string | null
  /** How near it is to the query. */
  score: number
}

export interface FoundMemory {
  /** The memory's id. */
  id: string
  /** The text. */
  memory: string
  /** The user the memory belongs to. */
  user_id: string
  /** The agent that stored it. */
  agent_id: string | null
  /** The conversation it comes from. */
  session_id: string | null
  /** A higher priority ranks higher in searches. */
  priority: 'LOW' | 'MEDIUM' | 'HIGH'
  /** The state of its processing. */
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** Its categories. */
  categories: string[]
  /** The JSON object that was stored with it. */
  metadata: Record<string, unknown> | null
  /** The workspace it belongs to. */
  workspace_id: string
  /** The route by which it was created. */
  source: 'API' | 'INGEST' | 'TEMPLATE' | 'CONVERSATION' | 'IMPORT'
  /** How well it fits the query. */
  relevance: 'HIGH' | 'MEDIUM' | 'LOW'
  /** Comparable within one response. */
  score: number
  explanation?: ScoreExplanation | undefined
  /** When all that it states had ended, by the graph; null while it holds, as far as that is known. */
  ended_at: string | null
  /** Memories that certainly replaced it, by the graph, the newest first; at most 3. */
  superseded_by: string[]
  /** Later memories of the same user about the same thing, the newest first, of which it is not known whether they replace it; at most 3, the likest ones. */
  newer: string[]
  /** When it was stored. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface FoundMemoryPage {
  /** The results of the page, best first. */
  data: FoundMemory[]
  /** The number of matches, counted up to 1,000. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
  /** Refers to this query in feedback. */
  query_hash: string
  /** Tells what was unavailable. */
  warning?: string | undefined
}

/** What waits by kind. Plugins may add kinds, as `conversations`. */
export interface GetBacklogResult {
  /** Memories that are to be processed. */
  memories: GetBacklogResultMemories
  /** Memories that are to be read for the knowledge graph. */
  graph: GetBacklogResultGraph
  /** Categories of users whose knowledge is to be compiled. */
  knowledge: GetBacklogResultKnowledge
  /** Files, pages and archives that are being imported. */
  imports: GetBacklogResultImports
  /** Deliveries of webhooks. */
  deliveries: GetBacklogResultDeliveries
  /** Exports that are being written. */
  exports: GetBacklogResultExports
}

/** Deliveries of webhooks. */
export interface GetBacklogResultDeliveries {
  /** What waits, or is under way. */
  waiting: number
  /** What failed for good and is kept. */
  failed: number
  /** Since when the oldest waits; null where nothing does. */
  oldest_at: string | null
}

/** Exports that are being written. */
export interface GetBacklogResultExports {
  /** What waits, or is under way. */
  waiting: number
  /** What failed for good and is kept. */
  failed: number
  /** Since when the oldest waits; null where nothing does. */
  oldest_at: string | null
}

/** Memories that are to be read for the knowledge graph. */
export interface GetBacklogResultGraph {
  /** What waits, or is under way. */
  waiting: number
  /** What failed for good and is kept. */
  failed: number
  /** Since when the oldest waits; null where nothing does. */
  oldest_at: string | null
}

/** Files, pages and archives that are being imported. */
export interface GetBacklogResultImports {
  /** What waits, or is under way. */
  waiting: number
  /** What failed for good and is kept. */
  failed: number
  /** Since when the oldest waits; null where nothing does. */
  oldest_at: string | null
}

/** Categories of users whose knowledge is to be compiled. */
export interface GetBacklogResultKnowledge {
  /** What waits, or is under way. */
  waiting: number
  /** What failed for good and is kept. */
  failed: number
  /** Since when the oldest waits; null where nothing does. */
  oldest_at: string | null
}

/** Memories that are to be processed. */
export interface GetBacklogResultMemories {
  /** What waits, or is under way. */
  waiting: number
  /** What failed for good and is kept. */
  failed: number
  /** Since when the oldest waits; null where nothing does. */
  oldest_at: string | null
}

export interface GetCategorySharesResult {
  /** The 200 largest, the largest first. Of each day the 200 largest are known. */
  categories: GetCategorySharesResultCategory[]
  /** The sum of all counts, also of categories that are not shown. A memory with several counts under each. */
  total: number
}

export interface GetCategorySharesResultCategory {
  /** The category; `uncategorized` counts memories without one, too. */
  name: string
  /** Memories created in the period, as they stood at the end of that day: what was deleted or changed later still counts. */
  count: number
  /** Its share of all, in per cent. */
  pct: number
}

export interface GetConnectionRequestResult {
  /** As the application calls itself. */
  client_name: string
  /** Where the answer goes. */
  redirect_host: string
  /** The application asks for these, and the role of the account in the workspace includes them. */
  permissions: GetConnectionRequestResultPermission[]
  /** Why nobody can grant it; null where it can be. */
  refusal: string | null
  /** The browser goes there where the account does not consent. */
  deny_url: string
}

export interface GetConnectionRequestResultPermission {
  /** As keys list it. */
  permission: string
  /** The permission allows this, in words for people. */
  allows: string
}

export interface GetConsoleMenuResult {
  /** Entries of the menu. */
  pages: GetConsoleMenuResultPage[]
}

/** An entry of the menu. */
export interface GetConsoleMenuResultPage {
  /** Id of the plugin that the page is of. */
  plugin: string
  /** Id of the page. */
  id: string
  /** Shown in the menu. */
  title: string
  /** Where the page is on this service. */
  path: string
  /** Name of an icon. */
  icon: string
  /** Smaller ones come first. */
  order: number
}

export interface GetDashboardSummaryResult {
  /** The period. */
  period: GetDashboardSummaryResultPeriod
  /** Memories created. */
  memories: GetDashboardSummaryResultMemories
  /** API requests. */
  requests: GetDashboardSummaryResultRequests
  /** The average score of first results, from 0 to 1; 0 without a search. */
  search_quality: GetDashboardSummaryResultSearchQuality
  /** The share of searches without a result, from 0 to 1. */
  zero_result_rate: GetDashboardSummaryResultZeroResultRate
  /** Memories stored or changed with secrets masked. */
  memories_masked: GetDashboardSummaryResultMemoriesMasked
  /** What the plan allows, and how much of it is used. */
  quota: GetDashboardSummaryResultQuota
}

/** Memories created. */
export interface GetDashboardSummaryResultMemories {
  /** In the period. */
  current: number
  /** In the period of the same length just before. */
  previous_period: number
  /** The change in per cent; null where there was nothing before, or nothing is measured now. */
  delta_pct: number | null
  /** UP where both are equal. */
  direction: 'UP' | 'DOWN'
  /** The workspace setting; null without one. */
  target: number | null
  /** WARNING below 90 % of the target, CRITICAL below 70 %; OK without one. */
  status: 'OK' | 'WARNING' | 'CRITICAL'
}

/** Memories stored or changed with secrets masked. */
export interface GetDashboardSummaryResultMemoriesMasked {
  /** In the period. */
  current: number
  /** In the period of the same length just before. */
  previous_period: number
  /** The change in per cent; null where there was nothing before, or nothing is measured now. */
  delta_pct: number | null
  /** UP where both are equal. */
  direction: 'UP' | 'DOWN'
}

/** The period. */
export interface GetDashboardSummaryResultPeriod {
  /** Its first instant. */
  start: string
  /** Its end. */
  end: string
}

/** What the plan allows, and how much of it is used. */
export interface GetDashboardSummaryResultQuota {
  /** Memories there are. */
  memories_used: number
  /** Memories that the plan allows; null: without limit. */
  memories_limit: number | null
  /** Requests this month (UTC), counted at the same instant as `requests`. */
  requests_used: number
  /** Requests a month that the plan allows; null: without limit. */
  requests_limit: number | null
  /** Tokens this month. */
  tokens_used: number
  /** Tokens a month that the plan allows; null: without limit. */
  tokens_limit: number | null
}

/** API requests. */
export interface GetDashboardSummaryResultRequests {
  /** In the period. */
  current: number
  /** In the period of the same length just before. */
  previous_period: number
  /** The change in per cent; null where there was nothing before, or nothing is measured now. */
  delta_pct: number | null
  /** UP where both are equal. */
  direction: 'UP' | 'DOWN'
  /** The workspace setting; null without one. */
  target: number | null
  /** WARNING below 90 % of the target, CRITICAL below 70 %; OK without one. */
  status: 'OK' | 'WARNING' | 'CRITICAL'
}

/** The average score of first results, from 0 to 1; 0 without a search. */
export interface GetDashboardSummaryResultSearchQuality {
  /** In the period. */
  current: number
  /** In the period of the same length just before. */
  previous_period: number
  /** The change in per cent; null where there was nothing before, or nothing is measured now. */
  delta_pct: number | null
  /** UP where both are equal. */
  direction: 'UP' | 'DOWN'
  /** The workspace setting; null without one. */
  target: number | null
  /** WARNING below 90 % of the target, CRITICAL below 70 %; OK without one. */
  status: 'OK' | 'WARNING' | 'CRITICAL'
}

/** The share of searches without a result, from 0 to 1. */
export interface GetDashboardSummaryResultZeroResultRate {
  /** In the period. */
  current: number
  /** In the period of the same length just before. */
  previous_period: number
  /** The change in per cent; null where there was nothing before, or nothing is measured now. */
  delta_pct: number | null
  /** UP where both are equal. */
  direction: 'UP' | 'DOWN'
}

export interface GetHealthResult {
  /** The process responds. */
  status: 'ok'
  /** The version of Mneme. */
  version: string
}

export interface GetOpenApiResult {
  /** The version of OpenAPI. */
  openapi: string
  /** Name, version and licence. */
  info: Record<string, unknown>
  /** Every operation, by path and method. */
  paths: Record<string, unknown>
}

export interface GetProfileResult {
  /** The profile; null while there is none. */
  profile: Profile | null
}

export interface GetSearchBalanceResult {
  /** Always 1; the other weights are relative to it. */
  relevance: number
  /** The advantage of a memory of today over a very old one. */
  recency: number
  /** The advantage of HIGH, and the disadvantage of LOW, over MEDIUM. */
  priority: number
  /** The balance until a better one is learned. */
  default: GetSearchBalanceResultDefault
  /** When it was learned; null while it is the default. */
  fitted_at: string | null
  /** Seconds since it was learned. */
  age_seconds: number | null
  /** The number of feedback signals it was learned from. */
  signals: number
  /** Share of judged pairs of results in the right order, on queries it was not learned from: with the balance of before, and with this one. */
  effect: GetSearchBalanceResultEffect | null
  /** When a better one was last searched for. */
  checked_at: string | null
  /** The outcome of the last fit. */
  outcome: 'KEPT' | 'NOT_BETTER' | 'TOO_FEW' | null
}

/** The balance until a better one is learned. */
export interface GetSearchBalanceResultDefault {
  /** Always 1; the other weights are relative to it. */
  relevance: number
  /** The advantage of a memory of today over a very old one. */
  recency: number
  /** The advantage of HIGH, and the disadvantage of LOW, over MEDIUM. */
  priority: number
}

export interface GetSearchBalanceResultEffect {
  /** The share with the former balance. */
  before: number
  /** The share with this one. */
  after: number
  /** The number of queries it was measured on. */
  queries: number
}

export interface GetSearchQualityResult {
  /** The average score of first results, from 0 to 1; 0 without a search. */
  avg_search_score: number
  /** The share of searches without a result, from 0 to 1. */
  zero_result_rate: number
  /** Searches. */
  total_searches: number
  /** Tokens by operation: `embedding` (of memories), `enrichment`, `consolidation` (of memories to knowledge), `search` (embedding and reranking) and `query` (related terms). */
  token_usage_by_operation: Record<string, GetSearchQualityResultTokenUsageByOperation>
}

export interface GetSearchQualityResultTokenUsageByOperation {
  /** Tokens read. */
  input: number
  /** Tokens written. */
  output: number
}

export interface GetSessionResult {
  session: Session
  user: Account
}

export interface GraphEdge {
  /** The relationship's id. */
  id: string
  /** What it says. */
  type: 'WORKS_AT' | 'MANAGES' | 'REPORTS_TO' | 'COLLABORATES_WITH' | 'KNOWS' | 'RELATED_TO' | 'MARRIED_TO' | 'PARENT_OF' | 'LIVES_IN' | 'LOCATED_IN' | 'BORN_IN' | 'VISITED' | 'OWNS' | 'CREATED' | 'USES_TECHNOLOGY' | 'PART_OF' | 'MEMBER_OF' | 'STUDIED_AT' | 'LIKES' | 'DISLIKES' | 'INTERESTED_IN'
  /** Grows with independent evidence and decays with age. */
  weight: number
  /** Whether it holds, at `as_of` or now. */
  current: boolean
  /** Since when, where the memories say so. */
  valid_from: string | null
  /** Until when; null while it holds and no end is known. */
  valid_to: string | null
  /** The memories that say so, the newest first; at most 50. */
  memory_ids: string[]
  /** Id of the one end. */
  source: string
  /** Id of the other. */
  target: string
}

export interface GraphOverview {
  /** The most connected first. */
  nodes: OverviewNode[]
  /** The strongest first. Both ends of each are among the nodes. */
  edges: OverviewEdge[]
  /** Entities that pass the filters. */
  total_nodes: number
  /** Relationships that pass the filters. */
  total_edges: number
}

export interface Import {
  /** The import's id. */
  id: string
  /** The shape of the file: `mneme`, a JSONL export of this service; `plain`, lines of JSON; `list` or `document`, one JSON list or object, as exports of mem0, of Zep and of this service in JSON are; null before it is known. */
  format: string | null
  /** How far it is. */
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** How much of the file is read. */
  progress: ImportProgress
  /** The user of memories that name none. */
  user_id: string
  /** The name of the file. */
  file_name: string | null
  /** Memories that were stored. */
  memories_created: number
  /** Memories whose id or text the workspace has already. */
  memories_skipped: number
  /** Memories that had expired, and facts that their service says are no longer true. */
  memories_expired: number
  /** Records of other sections that were put back: knowledge written by hand, documents, templates. */
  records_restored: number
  /** Lines, or items, that could not be read or stored. */
  lines_failed: number
  /** The first 20 of them. */
  errors: ImportError[]
  /** Why it failed, when it did. */
  error: string | null
  /** When the file was uploaded. */
  created_at: string
  /** When it last moved. */
  updated_at: string
}

export interface ImportError {
  /** The line, or item, from 1. */
  line: number
  /** What is wrong. */
  message: string
}

export interface ImportPage {
  /** The items of the page. */
  data: Import[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

/** How much of the file is read. */
export interface ImportProgress {
  /** Bytes of the file. */
  total: number
  /** Bytes read. */
  done: number
}

export interface IncomingRelationship {
  /** The relationship's id. */
  id: string
  /** What it says. */
  type: 'WORKS_AT' | 'MANAGES' | 'REPORTS_TO' | 'COLLABORATES_WITH' | 'KNOWS' | 'RELATED_TO' | 'MARRIED_TO' | 'PARENT_OF' | 'LIVES_IN' | 'LOCATED_IN' | 'BORN_IN' | 'VISITED' | 'OWNS' | 'CREATED' | 'USES_TECHNOLOGY' | 'PART_OF' | 'MEMBER_OF' | 'STUDIED_AT' | 'LIKES' | 'DISLIKES' | 'INTERESTED_IN'
  /** Grows with independent evidence and decays with age. */
  weight: number
  /** Whether it holds, at `as_of` or now. */
  current: boolean
  /** Since when, where the memories say so. */
  valid_from: string | null
  /** Until when; null while it holds and no end is known. */
  valid_to: string | null
  /** The memories that say so, the newest first; at most 50. */
  memory_ids: string[]
  source: EntityReference
}

export interface IngestJob {
  /** The job's id. */
  id: string
  /** The format of the file, or `URL`. */
  format: 'PDF' | 'EPUB' | 'PPTX' | 'XLSX' | 'DOCX' | 'RTF' | 'HTML' | 'IPYNB' | 'JSON' | 'SUBTITLES' | 'ICS' | 'EML' | 'CSV' | 'MARKDOWN' | 'TEXT' | 'URL'
  /** COMPLETED when every memory is searchable. */
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** The user whose memories it makes. */
  user_id: string
  /** Those of its memories. */
  categories: string[]
  /** Memories that it made; null until it is done. */
  memories_created: number | null
  /** Chunks whose text the workspace had before, or that a plugin refused; null until it is done. */
  memories_skipped: number | null
  /** Memories of older versions that it deleted; null until it is done. */
  memories_removed: number | null
  /** How far it is. */
  progress: IngestJobProgress
  /** The file's name. */
  file_name: string | null
  /** The page's address. */
  source_url: string | null
  /** The name by which a newer version replaces it; null where nothing can. */
  document_name: string | null
  /** The title that the document gives itself. */
  title: string | null
  /** The same for all versions of a document; also its memories' session_id. */
  document_id: string
  /** The reader that read it: `local` or `unstructured`. */
  read_by: string | null
  /** What of the document could not be read and is in no memory, as damaged pages, or was read by a guess, as its encoding: a sentence each. */
  warnings: string[]
  /** Why it failed, in a sentence. */
  error: string | null
  /** Why it failed, for programs. */
  error_code: string | null
  /** When it was submitted. */
  created_at: string
  /** When it last moved. */
  updated_at: string
}

export interface IngestJobPage {
  /** The items of the page. */
  data: IngestJob[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

/** How far it is. */
export interface IngestJobProgress {
  /** Chunks of the document; null until it is read. */
  chunks_total: number | null
  /** Chunks that are searchable. */
  chunks_done: number
}

export interface Invitation {
  /** Of the account, or of the invitation. */
  id: string
  /** `INVITED` until the invitation is accepted. */
  status: 'ACTIVE' | 'INVITED'
  /** The e-mail address; null for an invitation of whoever has the link. */
  email: string | null
  /** The name of the account. */
  name: string | null
  /** viewer: reads; editor: writes data, too; admin: deletes, keys, webhooks and settings, too; owner: all. */
  role: 'viewer' | 'editor' | 'admin' | 'owner'
  /** When the invitation ends; null for a member. */
  expires_at: string | null
  /** When the invitation was made, or the member joined. */
  created_at: string
  /** Where the invitation is accepted. It is never shown again. */
  link: string
}

export interface KnowledgeEntry {
  /** The entry's id. */
  id: string
  /** Whose knowledge it is. */
  user_id: string
  /** What it is about. */
  category: string
  /** Markdown. Each statement ends with a comment that names the memories that say it. */
  content: string
  /** Grows by one with each change of the content. */
  version: number
  /** When it was first compiled. */
  created_at: string
  /** When its content last changed. */
  updated_at: string
}

export interface KnowledgeEntryPage {
  /** The items of the page. */
  data: KnowledgeEntry[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface KnowledgeVersion {
  /** Its number. */
  version: number
  /** Markdown, as the entry has it. */
  content: string
  /** When the entry came to say so. */
  created_at: string
}

export interface KnowledgeVersionPage {
  /** The items of the page. */
  data: KnowledgeVersion[]
  /** Those that are kept, 20 at the most. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface ListCategoriesResult {
  /** The categories of all memories, sorted. */
  categories: string[]
}

export interface ListPermissionsResult {
  /** All permissions, in groups. */
  groups: ListPermissionsResultGroup[]
}

export interface ListPermissionsResultGroup {
  /** The group's name. */
  name: string
  /** Its permissions. */
  permissions: ListPermissionsResultGroupPermission[]
}

export interface ListPermissionsResultGroupPermission {
  /** As keys list it. */
  name: string
  /** What it allows. */
  description: string
}

export interface ListRelationshipsResult {
  /** The entity's id. */
  entity_id: string
  /** The entity's name. */
  entity_name: string
  /** From the entity to others, and what is the same from either end; the strongest first. */
  outgoing: OutgoingRelationship[]
  /** From others to the entity; the strongest first. */
  incoming: IncomingRelationship[]
  /** Outgoing ones in all; at most 1,000 are shown. */
  outgoing_total: number
  /** Incoming ones in all; at most 1,000 are shown. */
  incoming_total: number
}

export interface ListSignInMethodsResult {
  /** With e-mail address and password. */
  password: boolean
  /** By a provider: send the browser to `/v1/auth/sign-in/oidc`. */
  oidc: boolean
}

export interface ListTopQueriesResult {
  /** The most frequent first. */
  data: ListTopQueriesResultData[]
  /** Queries in the period as far as they are known, also those whose text is no longer kept. */
  total: number
}

export interface ListTopQueriesResultData {
  /** As it was last typed. */
  query: string
  /** How often it was searched for. */
  count: number
  /** The average score of its first result, from 0 to 1. */
  avg_score: number
}

export interface ListedEntity {
  /** The entity's id. */
  id: string
  /** Its name, as a memory writes it. */
  name: string
  /** What it is. */
  type: 'PERSON' | 'ORGANIZATION' | 'PLACE' | 'THING'
  /** What it is, in short. */
  description: string | null
  /** When it was first noted. */
  created_at: string
}

export interface ListedEntityPage {
  /** The entities of the page. */
  data: ListedEntity[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface ListedMemory {
  /** The memory's id. */
  id: string
  /** The text. */
  memory: string
  /** The user the memory belongs to. */
  user_id: string
  /** The agent that stored it. */
  agent_id: string | null
  /** The conversation it comes from. */
  session_id: string | null
  /** A higher priority ranks higher in searches. */
  priority: 'LOW' | 'MEDIUM' | 'HIGH'
  /** The state of its processing. */
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** Its categories. */
  categories: string[]
  /** The JSON object that was stored with it. */
  metadata: Record<string, unknown> | null
  /** The workspace it belongs to. */
  workspace_id: string
  /** The route by which it was created. */
  source: 'API' | 'INGEST' | 'TEMPLATE' | 'CONVERSATION' | 'IMPORT'
  /** How well it fits the search; NONE in a plain list. */
  relevance: 'HIGH' | 'MEDIUM' | 'LOW' | 'NONE'
  /** In search results. */
  score?: number | undefined
  /** With `explain`: the parts of the score, as the search endpoints describe them. */
  explanation?: Record<string, unknown> | undefined
  /** When all that it states had ended, by the graph; null while it holds, as far as that is known. */
  ended_at: string | null
  /** Memories that certainly replaced it, by the graph, the newest first; at most 3. */
  superseded_by: string[]
  /** Later memories of the same user about the same thing, the newest first, of which it is not known whether they replace it; at most 3, the likest ones. */
  newer: string[]
  /** When it was stored. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface ListedMemoryPage {
  /** The items of the page. */
  data: ListedMemory[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

/** A session. */
export interface ListedSession {
  /** Id of the session. */
  id: string
  /** Id of the account. */
  userId: string
  /** Where it was opened from. */
  ipAddress: string | null
  /** The browser it was opened with. */
  userAgent: string | null
  /** When it ends, unless `get-session` prolongs it. */
  expiresAt: string
  /** When it was opened. */
  createdAt: string
  /** When it was last prolonged. */
  updatedAt: string
  /** Names the session to `revoke-session`; only the own session, which `sign-out` ends, has none. It alone opens nothing: the cookie is signed. */
  token?: string | undefined
}

export interface Member {
  /** Of the account, or of the invitation. */
  id: string
  /** `INVITED` until the invitation is accepted. */
  status: 'ACTIVE' | 'INVITED'
  /** The e-mail address; null for an invitation of whoever has the link. */
  email: string | null
  /** The name of the account. */
  name: string | null
  /** viewer: reads; editor: writes data, too; admin: deletes, keys, webhooks and settings, too; owner: all. */
  role: 'viewer' | 'editor' | 'admin' | 'owner'
  /** When the invitation ends; null for a member. */
  expires_at: string | null
  /** When the invitation was made, or the member joined. */
  created_at: string
}

export interface MemberPage {
  /** The items of the page. */
  data: Member[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface Memory {
  /** The memory's id. */
  id: string
  /** The text. */
  memory: string
  /** The user the memory belongs to. */
  user_id: string
  /** The agent that stored it. */
  agent_id: string | null
  /** The conversation it comes from. */
  session_id: string | null
  /** A higher priority ranks higher in searches. */
  priority: 'LOW' | 'MEDIUM' | 'HIGH'
  /** The state of its processing. */
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** Its categories. */
  categories: string[]
  /** The JSON object that was stored with it. */
  metadata: Record<string, unknown> | null
  /** The workspace it belongs to. */
  workspace_id: string
  /** The route by which it was created. */
  source: 'API' | 'INGEST' | 'TEMPLATE' | 'CONVERSATION' | 'IMPORT'
  /** TASK expires by itself, RAW stays. */
  layer: 'TASK' | 'RAW'
  /** When a TASK memory expires; null for RAW. */
  expires_at: string | null
  /** The workspace it belongs to. */
  workspace: MemoryWorkspace
  /** How often it was read or found; counted in batches. */
  access_count: number
  /** When it was last read or found. */
  last_accessed_at: string | null
  /** The feedback so far; null before the first signal. */
  feedback: FeedbackSummary | null
  /** The memory that this one was merged into. */
  consolidated_into: string | null
  /** Why processing failed, when it did. */
  error: string | null
  /** When all that it states had ended, by the graph; null while it holds, as far as that is known. */
  ended_at: string | null
  /** Memories that certainly replaced it, by the graph, the newest first; at most 3. */
  superseded_by: string[]
  /** Later memories of the same user about the same thing, the newest first, of which it is not known whether they replace it; at most 3, the likest ones. */
  newer: string[]
  /** When it was stored. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface MemoryEvent {
  /** The event's id. */
  id: string
  /** The memory's id. */
  memory_id: string
  /** The kind of event. */
  event: 'CREATED' | 'UPDATED' | 'CONSOLIDATED' | 'RESTORED'
  /** The text before, of CONSOLIDATED that of the absorbed memory; null on creation. */
  old_content: string | null
  /** The text after. */
  new_content: string
  /** With CONSOLIDATED: the memory that was merged into this one; it can be restored. */
  absorbed_id?: string | undefined
  /** When it happened. */
  created_at: string
}

export interface MemoryEventPage {
  /** The events of the page. */
  data: MemoryEvent[]
  /** The number of items on all pages. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface MemoryPage {
  /** The memories of the page. */
  data: ListedMemory[]
  /** The number of items on all pages. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
  /** With `search`: refers to this query in feedback. */
  query_hash?: string | undefined
  /** With `search`: what was unavailable. */
  warning?: string | undefined
}

/** The workspace it belongs to. */
export interface MemoryWorkspace {
  /** The workspace's id. */
  id: string
  /** The workspace's name. */
  name: string
}

export interface MergedProfile {
  /** The contents, one after the other. */
  content: string
  /** The sum of the versions. */
  version: number
  /** The categories that are in it. */
  categories: string[]
}

export interface Message {
  /** A sentence for people. */
  message: string
}

export interface OutgoingRelationship {
  /** The relationship's id. */
  id: string
  /** What it says. */
  type: 'WORKS_AT' | 'MANAGES' | 'REPORTS_TO' | 'COLLABORATES_WITH' | 'KNOWS' | 'RELATED_TO' | 'MARRIED_TO' | 'PARENT_OF' | 'LIVES_IN' | 'LOCATED_IN' | 'BORN_IN' | 'VISITED' | 'OWNS' | 'CREATED' | 'USES_TECHNOLOGY' | 'PART_OF' | 'MEMBER_OF' | 'STUDIED_AT' | 'LIKES' | 'DISLIKES' | 'INTERESTED_IN'
  /** Grows with independent evidence and decays with age. */
  weight: number
  /** Whether it holds, at `as_of` or now. */
  current: boolean
  /** Since when, where the memories say so. */
  valid_from: string | null
  /** Until when; null while it holds and no end is known. */
  valid_to: string | null
  /** The memories that say so, the newest first; at most 50. */
  memory_ids: string[]
  target: EntityReference
}

export interface OverviewEdge {
  /** The relationship's id. */
  id: string
  /** What it says. */
  type: 'WORKS_AT' | 'MANAGES' | 'REPORTS_TO' | 'COLLABORATES_WITH' | 'KNOWS' | 'RELATED_TO' | 'MARRIED_TO' | 'PARENT_OF' | 'LIVES_IN' | 'LOCATED_IN' | 'BORN_IN' | 'VISITED' | 'OWNS' | 'CREATED' | 'USES_TECHNOLOGY' | 'PART_OF' | 'MEMBER_OF' | 'STUDIED_AT' | 'LIKES' | 'DISLIKES' | 'INTERESTED_IN'
  /** The weight is at most a day old, also with `as_of`. */
  weight: number
  /** Whether it holds, at `as_of` or now. */
  current: boolean
  /** Since when, where the memories say so. */
  valid_from: string | null
  /** Until when; null while it holds and no end is known. */
  valid_to: string | null
  /** Id of the one end. */
  source: string
  /** Id of the other. */
  target: string
  /** When a memory first said so. */
  known_from: string
  /** When a memory ended it; null while none has, or none had at `as_of`. */
  known_to: string | null
}

export interface OverviewNode {
  /** The entity's id. */
  id: string
  /** Its name, as a memory writes it. */
  name: string
  /** What it is. */
  type: 'PERSON' | 'ORGANIZATION' | 'PLACE' | 'THING'
  /** What it is, in short. */
  description: string | null
  /** The memories of this user name it. Users have entities of their own, also under the same name. */
  user_id: string
  /** Whether it is the user in person. */
  is_user: boolean
  /** Its relationships that pass the filters, among these also such as are not shown. */
  relationships_count: number
  /** When a memory first named it. */
  known_from: string
}

export interface PreviewTemplateResult {
  /** The memories as they would be stored, in order. */
  memories: TemplateMemory[]
}

/** The profile; null while there is none. */
export interface Profile {
  /** The user the profile describes. */
  userId: string
  /** The workspace. */
  workspaceId: string
  /** A summary of what the memories say about the user. */
  summary: string
  /** The topics of the memories. */
  topics: string[]
  /** The number of people, organizations, places and things they mention. */
  entityCount: number
  /** When it was compiled. */
  extractedAt: string
}

export interface Readiness {
  /** `ready`, `unavailable`, or `stopping` once it was told to stop. */
  status: string
  /** Each part with its state. */
  checks: Record<string, string>
  /** More of the parts that have more to say. */
  details?: Record<string, Record<string, string | number | null>> | undefined
}

export interface RedeliverFailedDeliveriesResult {
  /** What happens next. */
  message: string
}

export interface RehearsedMemory {
  /** Its text. */
  memory: string
  /** The user it would belong to. */
  user_id: string
  /** The agent it would be stored by. */
  agent_id: string | null
  /** The session it would be of. */
  session_id: string | null
  /** Its priority. */
  priority: string
  /** Its categories. */
  categories: string[]
  /** Its metadata, without the `conversation_id` that it would get. */
  metadata: Record<string, unknown>
  /** Always `CONVERSATION`. */
  source: string
}

/** The parts of the score; docs/search.md has the formula. */
export interface ScoreExplanation {
  /** The score before rounding. */
  score: number
  /** The evidence of the memory by itself. */
  evidence: ScoreExplanationEvidence
  /** The factor of each part of the evidence. */
  weights: ScoreExplanationWeights
  /** Neighbours in its session that support it. */
  neighbours: ScoreExplanationNeighbour[]
  /** The support by its session; null without another result of the session. */
  session: ScoreExplanationSession | null
  /** What it tells holds in place of what another memory told; null where there is none, or the query asks for the past. */
  replaces: ScoreExplanationReplaces | null
  /** Factors that multiply the evidence. */
  factors: ScoreExplanationFactors
  /** The feedback on it for this query. */
  feedback: number
  /** 1 when new, halved every 30 days. */
  recency: number
  /** -1 for LOW, 0 for MEDIUM, 1 for HIGH. */
  priority: number
  /** The weights of both. */
  balance: ScoreExplanationBalance
  /** True if a first result that contains every term was raised to 0.66. */
  lifted: boolean
  /** The bound of scores beyond the best 200 or so, which are ranked separately; null before. */
  ceiling: number | null
  /** Its place in the lists of candidates. */
  ranks: ScoreExplanationRanks
  /** The query's terms that it contains. */
  terms: ScoreExplanationTerm[]
  /** Cosine of query and memory. */
  cosine: number | null
  /** The nearest passage of a long text; null when none is near, or the text is short. */
  passage: ScoreExplanationPassage | null
  /** Names that connect the query and the memory. */
  entities: string[]
  /** Only with a reranker: what moved the result to its place. */
  rerank?: ScoreExplanationRerank | undefined
}

/** The weights of both. */
export interface ScoreExplanationBalance {
  /** The weight of recency. */
  recency: number
  /** The weight of priority. */
  priority: number
}

/** The evidence of the memory by itself. */
export interface ScoreExplanationEvidence {
  /** BM25, in standard deviations from the mean of the candidates. */
  words: number
  /** Share of the query's terms that it contains, by weight and squared. */
  coverage: number
  /** How close together it contains them. */
  proximity: number
  /** Cosine above that of unrelated texts. */
  meaning: number
  /** How near its single words are to those of the query, above the mean of the best candidates. */
  tokens: number
  /** The strength of its connection to entities of the query. */
  entities: number
  /** How sure the knowledge graph is that it tells what the query asks. */
  facts: number
}

/** Factors that multiply the evidence. */
export interface ScoreExplanationFactors {
  /** Below 1 when the speaker is not the one that the query names. */
  speaker: number
  /** Below 1 when the text is a short question. */
  asking: number
  /** Above 1 when it contains the kind of information that the query asks for. */
  answer: number
  /** How well its time fits the dates that the query names. */
  time: number
  /** Below 1 when it tells only what holds no more. */
  validity: number
}

export interface ScoreExplanationNeighbour {
  /** A neighbour in its session. */
  memory_id: string
  /** Places after it (positive) or before it (negative). */
  distance: number
  /** The share of its evidence that is added. */
  weight: number
  /** Its own weighted evidence. */
  evidence: number
}

export interface ScoreExplanationPassage {
  /** Where it begins in the text, about, in UTF-16 units. */
  start: number
  /** Where it ends, about; exclusive. */
  end: number
  /** The number of passages of the text. */
  of: number
  /** Cosine of query and passage. */
  cosine: number
  /** The cosine less what the best of so many passages has by chance. */
  counted: number
}

/** Its place in the lists of candidates. */
export interface ScoreExplanationRanks {
  /** Among the candidates by words. */
  words: number | null
  /** Among the candidates by meaning. */
  meaning: number | null
}

export interface ScoreExplanationReplaces {
  /** A memory that told what held before. */
  memory_id: string
  /** Its weighted evidence, which counts where that of the memory itself is less. */
  evidence: number
}

/** Only with a reranker: what moved the result to its place. */
export interface ScoreExplanationRerank {
  /** The reranker. */
  model: string
  /** On a scale of its own; null where it did not judge the memory, or was unavailable. */
  score: number | null
  /** The place before reranking. */
  rank: number
}

export interface ScoreExplanationSession {
  /** The other memory of its session with the most evidence. */
  memory_id: string
  /** The share of its evidence that is added. */
  weight: number
  /** Its own weighted evidence. */
  evidence: number
}

export interface ScoreExplanationTerm {
  /** A stem of the query that it contains. */
  term: string
  /** The stems by which it contains it: the term, the same word in another language, a correction. */
  matched: string[]
  /** The number of their occurrences. */
  occurrences: number
  /** The number of memories of the workspace that contain it; of a corrected word the number that its lower weight stands for. */
  documents: number
  /** Its inverse document frequency. */
  weight: number
}

/** The factor of each part of the evidence. */
export interface ScoreExplanationWeights {
  /** BM25, in standard deviations from the mean of the candidates. */
  words: number
  /** Share of the query's terms that it contains, by weight and squared. */
  coverage: number
  /** How close together it contains them. */
  proximity: number
  /** Cosine above that of unrelated texts. */
  meaning: number
  /** How near its single words are to those of the query, above the mean of the best candidates. */
  tokens: number
  /** The strength of its connection to entities of the query. */
  entities: number
  /** How sure the knowledge graph is that it tells what the query asks. */
  facts: number
}

/** The session. */
export interface Session {
  /** Id of the session. */
  id: string
  /** Id of the account. */
  userId: string
  /** Where it was opened from. */
  ipAddress: string | null
  /** The browser it was opened with. */
  userAgent: string | null
  /** When it ends, unless `get-session` prolongs it. */
  expiresAt: string
  /** When it was opened. */
  createdAt: string
  /** When it was last prolonged. */
  updatedAt: string
}

export interface ShapedProfile {
  /** By the schema; null where nothing is known. */
  profile: Record<string, unknown> | null
  /** By the path of a value, such as `home.city`, and `tools.0` in a list. */
  sources: Record<string, ShapedProfileSources>
}

export interface ShapedProfileSources {
  /** The memory that says it. */
  memory_id: string
  /** When it was said. */
  said_at: string
}

export interface SignInResult {
  user: AccountSummary
  /** When the session ends, unless `get-session` prolongs it. */
  expires_at: string
}

export interface SignOutResult {
  /** `true`: the session has ended. */
  success: boolean
}

/** The memory as it is stored. */
export interface StoredMemory {
  /** The memory's id. */
  id: string
  /** The text. */
  memory: string
  /** The user the memory belongs to. */
  user_id: string
  /** The agent that stored it. */
  agent_id: string | null
  /** The conversation it comes from. */
  session_id: string | null
  /** A higher priority ranks higher in searches. */
  priority: 'LOW' | 'MEDIUM' | 'HIGH'
  /** The state of its processing. */
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** Its categories. */
  categories: string[]
  /** The JSON object that was stored with it. */
  metadata: Record<string, unknown> | null
  /** The workspace it belongs to. */
  workspace_id: string
  /** The route by which it was created. */
  source: 'API' | 'INGEST' | 'TEMPLATE' | 'CONVERSATION' | 'IMPORT'
  /** TASK expires by itself, RAW stays. */
  layer: 'TASK' | 'RAW'
  /** When a TASK memory expires; null for RAW. */
  expires_at: string | null
  /** When it was stored. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface Template {
  /** The template's id. */
  id: string
  /** Its name. */
  name: string
  /** What it is for. */
  description: string | null
  /** Its placeholders. */
  variables: TemplateVariable[]
  /** The memories it makes, in order. */
  memories: TemplateMemory[]
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface TemplateMemory {
  /** The text. */
  memory: string
  /** Its categories. */
  categories: string[]
  /** LOW, MEDIUM or HIGH. */
  priority: string
  /** Its metadata. */
  metadata: Record<string, unknown> | null
  /** TASK or RAW. */
  layer: string
}

export interface TemplatePage {
  /** The items of the page. */
  data: Template[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface TemplateVariable {
  /** The name that stands between the braces. */
  name: string
  /** Whether a value must be given where there is no default. */
  required: boolean
  /** The value where none is given. */
  default: string | null
}

export interface Token {
  /** Sent as a key is. It is stored nowhere and never shown again. */
  token: string
  /** When it expires. */
  expires_at: string
}

export interface TokenPoint {
  /** The day, `YYYY-MM-DD`; a week’s Monday, a month’s first. */
  date: string
  /** Tokens that models read. */
  input_tokens: number
  /** Tokens that models wrote. */
  output_tokens: number
  /** Both together. */
  total: number
}

export interface TraverseGraphResult {
  /** The start, then the others, the nearest first. */
  nodes: EntityReference[]
  /** The nearest first, then the strongest. Both ends of each are among the nodes. */
  edges: GraphEdge[]
}

export interface User {
  /** The user's id. */
  user_id: string
  /** Its visible memories. */
  memories: number
  /** When the oldest of them was created. */
  first_at: string
  /** When the newest of them was created. */
  last_at: string
}

export interface UserOrAgent {
  /** A user or an agent. */
  type: 'user' | 'agent'
  /** The id that memories refer to. */
  id: string
  /** How many memories it has. */
  count: number
}

export interface UserPage {
  /** The items of the page. */
  data: User[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface Webhook {
  /** The webhook's id. */
  id: string
  /** Where deliveries are sent to. */
  url: string
  /** Kinds of events it gets; `*` stands for all. */
  events: string[]
  /** What it is for. */
  description: string | null
  /** False while it is paused. */
  active: boolean
  /** The workspace it belongs to. */
  workspace_id: string
  /** Since when no attempt has succeeded; null while attempts succeed, and before the first one to its URL and since it was resumed. */
  failing_since: string | null
  /** When an attempt last succeeded, within a minute. */
  last_success_at: string | null
  /** Until when deliveries are also signed with the secret before the last rotation. */
  previous_secret_until: string | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface WebhookPage {
  /** The items of the page. */
  data: Webhook[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

export interface WebhookWithSecret {
  /** The webhook's id. */
  id: string
  /** Where deliveries are sent to. */
  url: string
  /** Kinds of events it gets; `*` stands for all. */
  events: string[]
  /** What it is for. */
  description: string | null
  /** False while it is paused. */
  active: boolean
  /** The workspace it belongs to. */
  workspace_id: string
  /** Since when no attempt has succeeded; null while attempts succeed, and before the first one to its URL and since it was resumed. */
  failing_since: string | null
  /** When an attempt last succeeded, within a minute. */
  last_success_at: string | null
  /** Until when deliveries are also signed with the secret before the last rotation. */
  previous_secret_until: string | null
  /** When it was created. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
  /** The key that deliveries are signed with. It is shown now and never again. */
  secret: string
}

export interface Workspace {
  /** The workspace's id. */
  id: string
  /** Its name. */
  name: string
  /** Its plan, which decides on features and quotas. */
  plan: string
  settings: WorkspaceSettings
  /** `test` for a test twin. */
  mode: 'live' | 'test'
  /** Its test twin's id; null for a twin. */
  test_workspace_id: string | null
  /** When it was made. */
  created_at: string
  /** When it was last changed. */
  updated_at: string
}

export interface WorkspacePage {
  /** The items of the page. */
  data: Workspace[]
  /** All there are, on every page. */
  total: number
  /** The page, from 1. */
  page: number
  /** Items on a page. */
  page_size: number
}

/** Its settings, defaults included. */
export interface WorkspaceSettings {
  /** Tokens a day that language models may read and write; null: no limit. */
  daily_model_tokens: number | null
  /** Targets that the dashboard compares figures with. */
  targets: WorkspaceSettingsTargets
  /** Merges near-duplicates. */
  consolidation: boolean
  /** Whether a text is stored once in the workspace, or once for each user. */
  uniqueness: 'workspace' | 'user'
  /** Whether keys, tokens, private keys and card numbers in texts are kept, masked, or refused with the text. */
  secrets: 'keep' | 'mask' | 'refuse'
  /** The IANA time zone in which times in memories and questions are read, unless a request names another. */
  timezone: string
  /** Days a TASK memory lives; null: the server's TASK_TTL. */
  task_ttl_days: number | null
  /** Days after which memories are deleted; null: never. */
  retention_days: number | null
  /** Language in which texts are analysed; null: detected for each text. A change re-indexes the memories in the background. */
  language: string | null
  /** What the language model is to keep of conversations and what to leave out, in plain words. What is read without a model, as while it is away, is kept as ever. */
  conversation_instructions: string | null
}

/** Targets that the dashboard compares figures with. */
export interface WorkspaceSettingsTargets {
  /** Requests to aim at in a period. */
  requests: number | null
  /** Target for the number of new memories in a period. */
  memories: number | null
  /** Target for the average score of searches. */
  search_quality: number | null
}

/** The parameters of the application. */
export interface CreateConnectionRequest {
  /** The id that the application got when it registered. */
  client_id: string
  /** Where the answer goes. */
  redirect_uri: string
  /** `code`. */
  response_type?: string | undefined
  /** SHA-256 of the verifier, in base64url. */
  code_challenge?: string | undefined
  /** `S256`. */
  code_challenge_method?: string | undefined
  /** Permissions, separated by spaces; all that an application may have where it is left out. */
  scope?: string | undefined
  /** Goes back with the answer. */
  state?: string | undefined
  /** What the token is for: the address of the MCP endpoint. */
  resource?: string | undefined
}

export interface CreateConversationMessage {
  /** Who speaks. Memories are made of what the user says, and of what the assistant recommends, decides, promises, finds out or does; all others are ignored. */
  role: 'user' | 'assistant' | 'system' | 'tool' | 'developer' | 'function'
  /** What is said: a text, or a list of parts as libraries of language models give them out. Null where nothing is, as beside calls of tools. */
  content: string | CreateConversationMessageContent[] | null
  /** When it was said; left out: when the conversation was submitted. */
  created_at?: string | null | undefined
  /** Accepted, since libraries of language models give it out, and not read. */
  id?: unknown | undefined
  /** Accepted, since libraries of language models give it out, and not read. */
  name?: unknown | undefined
  /** Accepted, since libraries of language models give it out, and not read. */
  type?: unknown | undefined
  /** Accepted, since libraries of language models give it out, and not read. */
  status?: unknown | undefined
  /** Accepted, since libraries of language models give it out, and not read. */
  tool_calls?: unknown | undefined
  /** Accepted, since libraries of language models give it out, and not read. */
  tool_call_id?: unknown | undefined
  /** Accepted, since libraries of language models give it out, and not read. */
  function_call?: unknown | undefined
  /** Accepted, since libraries of language models give it out, and not read. */
  refusal?: unknown | undefined
  /** Accepted, since libraries of language models give it out, and not read. */
  annotations?: unknown | undefined
  /** Accepted, since libraries of language models give it out, and not read. */
  audio?: unknown | undefined
}

export interface CreateConversationMessageContent {
  /** What it is; parts other than text, input_text, output_text are ignored. */
  type: string
  /** What is said. */
  text?: string | undefined
}

export interface CreateTemplateMemory {
  /** The text, with `{{variable}}` where a value goes. */
  memory: string
  /** Trimmed and deduplicated. */
  categories?: string[] | null | undefined
  /** MEDIUM when omitted. */
  priority?: 'LOW' | 'MEDIUM' | 'HIGH' | null | undefined
  /** Any JSON object, kept exactly. At most 64 KB of JSON, 32 levels deep. A date-time in `said_at` tells that the text was said then, which what holds now and words such as "yesterday" go by. */
  metadata?: Record<string, unknown> | null | undefined
  /** TASK expires by itself, RAW (the default) stays. */
  layer?: 'TASK' | 'RAW' | undefined
}

export interface CreateTemplateVariable {
  /** The name that stands between the braces. */
  name: string
  /** True when left out: without a value and a default the template is not applied. */
  required?: boolean | undefined
  /** The value where none is given; null or left out: none. */
  default?: string | null | undefined
}

/** What is left out stays as it is; null goes back to the default. */
export interface CreateWorkspaceSettings {
  /** Tokens a day that language models may read and write; null: no limit. Set by a signed-in account only, never by a key. */
  daily_model_tokens?: number | null | undefined
  /** Targets that the dashboard compares figures with. */
  targets?: CreateWorkspaceSettingsTargets | null | undefined
  /** Merges near-duplicates. Default: `true`. */
  consolidation?: boolean | null | undefined
  /** Whether a text is stored once in the workspace, or once for each user. Default: `"workspace"`. */
  uniqueness?: 'workspace' | 'user' | null | undefined
  /** Whether keys, tokens, private keys and card numbers in texts are kept, masked, or refused with the text. Default: `"keep"`. */
  secrets?: 'keep' | 'mask' | 'refuse' | null | undefined
  /** The IANA time zone in which times in memories and questions are read, unless a request names another. Default: `"UTC"`. */
  timezone?: string | null | undefined
  /** Days a TASK memory lives; null: the server's TASK_TTL. A key needs the permission `memory.delete` to set it. */
  task_ttl_days?: number | null | undefined
  /** Days after which memories are deleted; null: never. A key needs the permission `memory.delete` to set it. */
  retention_days?: number | null | undefined
  /** Language in which texts are analysed; null: detected for each text. A change re-indexes the memories in the background. */
  language?: string | null | undefined
  /** What the language model is to keep of conversations and what to leave out, in plain words. What is read without a model, as while it is away, is kept as ever. */
  conversation_instructions?: string | null | undefined
}

export interface CreateWorkspaceSettingsTargets {
  /** Requests to aim at in a period. */
  requests?: number | null | undefined
  /** Target for the number of new memories in a period. */
  memories?: number | null | undefined
  /** Target for the average score of searches. */
  search_quality?: number | null | undefined
}

export interface NewMemory {
  /** The text to remember, kept exactly as sent. */
  memory: string
  /** Another name for `memory`, accepted in its place; both at once is an error. */
  content?: string | undefined
  /** The user the memory belongs to; `default` when omitted or null. */
  user_id?: string | null | undefined
  /** The agent that stores it. */
  agent_id?: string | null | undefined
  /** The conversation it comes from. */
  session_id?: string | null | undefined
  /** MEDIUM when omitted. */
  priority?: 'LOW' | 'MEDIUM' | 'HIGH' | null | undefined
  /** Trimmed and deduplicated. */
  categories?: string[] | null | undefined
  /** Any JSON object, kept exactly. At most 64 KB of JSON, 32 levels deep. A date-time in `said_at` tells that the text was said then, which what holds now and words such as "yesterday" go by. */
  metadata?: Record<string, unknown> | null | undefined
  /** TASK expires by itself, RAW (the default) stays. */
  layer?: 'TASK' | 'RAW' | null | undefined
  /** When a TASK memory expires; in the future. When omitted, TASK_TTL decides. */
  expires_at?: string | null | undefined
}

export interface UpdateTemplateMemory {
  /** The text, with `{{variable}}` where a value goes. */
  memory: string
  /** Trimmed and deduplicated. */
  categories?: string[] | null | undefined
  /** MEDIUM when omitted. */
  priority?: 'LOW' | 'MEDIUM' | 'HIGH' | null | undefined
  /** Any JSON object, kept exactly. At most 64 KB of JSON, 32 levels deep. A date-time in `said_at` tells that the text was said then, which what holds now and words such as "yesterday" go by. */
  metadata?: Record<string, unknown> | null | undefined
  /** TASK expires by itself, RAW (the default) stays. */
  layer?: 'TASK' | 'RAW' | undefined
}

export interface UpdateTemplateVariable {
  /** The name that stands between the braces. */
  name: string
  /** True when left out: without a value and a default the template is not applied. */
  required?: boolean | undefined
  /** The value where none is given; null or left out: none. */
  default?: string | null | undefined
}

/** What is left out stays as it is; null goes back to the default. */
export interface UpdateWorkspaceSettings {
  /** Tokens a day that language models may read and write; null: no limit. Set by a signed-in account only, never by a key. */
  daily_model_tokens?: number | null | undefined
  /** Targets that the dashboard compares figures with. */
  targets?: UpdateWorkspaceSettingsTargets | null | undefined
  /** Merges near-duplicates. Default: `true`. */
  consolidation?: boolean | null | undefined
  /** Whether a text is stored once in the workspace, or once for each user. Default: `"workspace"`. */
  uniqueness?: 'workspace' | 'user' | null | undefined
  /** Whether keys, tokens, private keys and card numbers in texts are kept, masked, or refused with the text. Default: `"keep"`. */
  secrets?: 'keep' | 'mask' | 'refuse' | null | undefined
  /** The IANA time zone in which times in memories and questions are read, unless a request names another. Default: `"UTC"`. */
  timezone?: string | null | undefined
  /** Days a TASK memory lives; null: the server's TASK_TTL. A key needs the permission `memory.delete` to set it. */
  task_ttl_days?: number | null | undefined
  /** Days after which memories are deleted; null: never. A key needs the permission `memory.delete` to set it. */
  retention_days?: number | null | undefined
  /** Language in which texts are analysed; null: detected for each text. A change re-indexes the memories in the background. */
  language?: string | null | undefined
  /** What the language model is to keep of conversations and what to leave out, in plain words. What is read without a model, as while it is away, is kept as ever. */
  conversation_instructions?: string | null | undefined
}

export interface UpdateWorkspaceSettingsTargets {
  /** Requests to aim at in a period. */
  requests?: number | null | undefined
  /** Target for the number of new memories in a period. */
  memories?: number | null | undefined
  /** Target for the average score of searches. */
  search_quality?: number | null | undefined
}

export interface ListWorkspacesInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
}

export interface CreateWorkspaceInput {
  /** A name for people. */
  name: string
  /** Only for a signed-in account. */
  plan?: 'free' | 'pro' | 'scale' | 'unlimited' | undefined
  /** What is left out stays as it is; null goes back to the default. */
  settings?: CreateWorkspaceSettings | undefined
}

export interface GetWorkspaceInput {
  /** The workspace's id. */
  id: string
}

export interface UpdateWorkspaceInput {
  /** The workspace's id. */
  id: string
  /** A name for people. */
  name?: string | undefined
  /** Only for a signed-in account. */
  plan?: 'free' | 'pro' | 'scale' | 'unlimited' | undefined
  /** What is left out stays as it is; null goes back to the default. */
  settings?: UpdateWorkspaceSettings | undefined
}

export interface DeleteWorkspaceInput {
  /** The workspace's id. */
  id: string
  /** The account's password. */
  confirm_password: string
}

export interface ListApiKeysInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CreateApiKeyInput {
  /** A name for people. */
  name: string
  /** Names as `GET /v1/api-keys/permissions` lists them. */
  permissions: string[]
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** `live` (the default), or `test` for the workspace's test twin. */
  mode?: 'live' | 'test' | undefined
  /** Further workspaces of the account it may use. */
  workspace_ids?: string[] | undefined
  /** When it stops working; in the future. Null: never. */
  expires_at?: string | null | undefined
  /** Binds the key: it reads and writes only what is of this user. */
  user_id?: string | undefined
  /** With a user: binds it to what is of this agent as well. */
  agent_id?: string | undefined
}

export interface UpdateApiKeyInput {
  /** The API key's id. */
  id: string
  /** A name for people. */
  name?: string | undefined
  /** Names as `GET /v1/api-keys/permissions` lists them. */
  permissions?: string[] | undefined
  /** Further workspaces of the account it may use. */
  workspace_ids?: string[] | undefined
  /** When it stops working; in the future. Null: never. */
  expires_at?: string | null | undefined
}

export interface RevokeApiKeyInput {
  /** The API key's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface RotateApiKeyInput {
  /** The API key's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListMembersInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface InviteMemberInput {
  /** What the account may do. Only owners give the roles `owner` and `admin`. */
  role: 'viewer' | 'editor' | 'admin' | 'owner'
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** An e-mail address, in any letter case. */
  email?: string | undefined
}

export interface AcceptInvitationInput {
  /** What stands behind `#invitation=` in the link. */
  token: string
  /** An e-mail address, in any letter case. */
  email?: string | undefined
  /** The password of the new account. */
  password?: string | undefined
}

export interface UpdateMemberInput {
  /** The member's or the invitation's id. */
  id: string
  /** What the account may do. Only owners give the roles `owner` and `admin`. */
  role: 'viewer' | 'editor' | 'admin' | 'owner'
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface RemoveMemberInput {
  /** The member's or the invitation's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CreateTokenInput {
  /** It reads and writes only what is of this user. */
  user_id: string
  /** Names as `GET /v1/api-keys/permissions` lists them. */
  permissions: string[]
  /** Seconds until it expires. */
  expires_in: number
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** With a user: binds it to what is of this agent as well. */
  agent_id?: string | undefined
}

export interface CreateMemoryInput {
  /** The text to remember, kept exactly as sent. */
  memory: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Another name for `memory`, accepted in its place; both at once is an error. */
  content?: string | undefined
  /** The user the memory belongs to; `default` when omitted or null. */
  user_id?: string | null | undefined
  /** The agent that stores it. */
  agent_id?: string | null | undefined
  /** The conversation it comes from. */
  session_id?: string | null | undefined
  /** MEDIUM when omitted. */
  priority?: 'LOW' | 'MEDIUM' | 'HIGH' | null | undefined
  /** Trimmed and deduplicated. */
  categories?: string[] | null | undefined
  /** Any JSON object, kept exactly. At most 64 KB of JSON, 32 levels deep. A date-time in `said_at` tells that the text was said then, which what holds now and words such as "yesterday" go by. */
  metadata?: Record<string, unknown> | null | undefined
  /** TASK expires by itself, RAW (the default) stays. */
  layer?: 'TASK' | 'RAW' | null | undefined
  /** When a TASK memory expires; in the future. When omitted, TASK_TTL decides. */
  expires_at?: string | null | undefined
}

export interface ListMemoriesInput {
  /** Searches instead of listing; best first. */
  search?: string | undefined
  /** Memories of this user. */
  user_id?: string | undefined
  /** Memories of this agent. */
  agent_id?: string | undefined
  /** Memories of this session. */
  session_id?: string | undefined
  /** Memories of this priority. */
  priority?: 'LOW' | 'MEDIUM' | 'HIGH' | undefined
  /** Any of these; takes precedence over `priority`. */
  priorities?: ('LOW' | 'MEDIUM' | 'HIGH')[] | undefined
  /** At least one of these. One with a comma in it can be given in the body of a search alone. */
  categories?: string[] | undefined
  /** Created at this instant or later. */
  created_after?: string | undefined
  /** Created at this instant or earlier. */
  created_before?: string | undefined
  /** Conditions on metadata as JSON, as in the `filter` of a search. */
  filter?: string | undefined
  /** How `search` matches. */
  mode?: 'hybrid' | 'semantic' | 'keyword' | undefined
  /** Adds related terms to a hybrid or semantic `search`. */
  expand?: boolean | undefined
  /** Adds to each result of a `search` the parts of its score. */
  explain?: boolean | undefined
  /** Results with a lower `score` are left out and not counted; MEDIUM begins at 0.33, HIGH at 0.66. */
  min_score?: number | undefined
  /** The IANA time zone in which "today", "last week" and other times in the text are read; the workspace's `timezone` when left out. */
  timezone?: string | undefined
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Memories whose processing is in any of these states. */
  status?: ('PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED')[] | undefined
  /** Memories that name this entity. */
  entity_id?: string | undefined
  /** Memories that name an entity of this name, whatever its letter case; aliases count. */
  entity_name?: string | undefined
  /** Memories that say this relationship of the graph, or that it has ended. */
  relationship_id?: string | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface DeleteMemoriesInput {
  /** The account's password. */
  confirm_password: string
  /** Only memories of this user. */
  user_id?: string | undefined
  /** Only memories of this agent. */
  agent_id?: string | undefined
  /** Only memories of this session. */
  session_id?: string | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CreateMemoryBatchInput {
  /** Items with the fields of a single creation. */
  memories: NewMemory[]
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListUsersAndAgentsInput {
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListCategoriesInput {
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetProfileInput {
  /** The workspace's id. */
  workspaceId: string
  /** The user the profile describes. */
  userId: string
  /** `schema`: by the workspace's schema of profiles. */
  shape?: 'schema' | undefined
}

export interface GetMemoryInput {
  /** The memory's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface UpdateMemoryInput {
  /** The memory's id. */
  id: string
  /** The new text. */
  memory: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Another name for `memory`, accepted in its place; both at once is an error. */
  content?: string | undefined
  /** MEDIUM when omitted. */
  priority?: 'LOW' | 'MEDIUM' | 'HIGH' | undefined
  /** Trimmed and deduplicated. */
  categories?: string[] | undefined
  /** Any JSON object, kept exactly. At most 64 KB of JSON, 32 levels deep. A date-time in `said_at` tells that the text was said then, which what holds now and words such as "yesterday" go by. */
  metadata?: Record<string, unknown> | null | undefined
}

export interface DeleteMemoryInput {
  /** The memory's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface PromoteMemoryInput {
  /** The memory's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ReprocessMemoriesInput {
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Only failed memories are processed again. */
  status?: 'FAILED' | undefined
  /** Only memories of this user. */
  user_id?: string | undefined
}

export interface ReprocessMemoryInput {
  /** The memory's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface RestoreMemoryInput {
  /** The memory's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GiveFeedbackInput {
  /** The memory's id. */
  id: string
  /** How well the memory served. */
  signal: 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL'
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Another name for `signal`, accepted in its place; both at once is an error. */
  rating?: 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL' | undefined
  /** The `query_hash` of the search that found it. */
  query_hash?: string | null | undefined
}

export interface ListMemoryHistoryInput {
  /** The memory's id. */
  id: string
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListUsersInput {
  /** Only users whose ids begin with this. */
  q?: string | undefined
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface DeleteNamedUserInput {
  /** The user's id. */
  user_id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface DeleteUserInput {
  /** The user's id. */
  user_id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetErasureInput {
  /** The erasure's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface SearchMemoriesByQueryInput {
  /** The search text; in keyword mode `"phrases"`, `-exclusions` and `OR` are operators. */
  query: string
  /** Memories of this user. */
  user_id?: string | undefined
  /** Memories of this agent. */
  agent_id?: string | undefined
  /** Memories of this session. */
  session_id?: string | undefined
  /** Memories of this priority. */
  priority?: 'LOW' | 'MEDIUM' | 'HIGH' | undefined
  /** Any of these; takes precedence over `priority`. */
  priorities?: ('LOW' | 'MEDIUM' | 'HIGH')[] | undefined
  /** At least one of these. */
  categories?: string[] | undefined
  /** Created at this instant or later. */
  created_after?: string | undefined
  /** Created at this instant or earlier. */
  created_before?: string | undefined
  /** Results with a lower `score` are left out and not counted; MEDIUM begins at 0.33, HIGH at 0.66. */
  min_score?: number | undefined
  /** The IANA time zone in which "today", "last week" and other times in the text are read; the workspace's `timezone` when left out. */
  timezone?: string | undefined
  /** Results on a page; 10 by default. */
  limit?: number | undefined
  /** By words and meaning, by meaning, or by exact words. */
  mode?: 'hybrid' | 'semantic' | 'keyword' | undefined
  /** Adds related terms in hybrid and semantic mode. */
  expand?: boolean | undefined
  /** Adds to each result the parts of its score. */
  explain?: boolean | undefined
  /** From 1. */
  page?: number | undefined
  /** Another name for `limit`; give one of them. */
  page_size?: number | undefined
  /** Memories whose processing is in any of these states. */
  status?: ('PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED')[] | undefined
  /** Memories that name this entity. */
  entity_id?: string | undefined
  /** Memories that name an entity of this name, whatever its letter case; aliases count. */
  entity_name?: string | undefined
  /** Memories that say this relationship of the graph, or that it has ended. */
  relationship_id?: string | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface SearchMemoriesInput {
  /** The search text; in keyword mode `"phrases"`, `-exclusions` and `OR` are operators. */
  query: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Memories of this user. */
  user_id?: string | undefined
  /** Memories of this agent. */
  agent_id?: string | undefined
  /** Memories of this session. */
  session_id?: string | undefined
  /** Memories of this priority. */
  priority?: 'LOW' | 'MEDIUM' | 'HIGH' | undefined
  /** Any of these; takes precedence over `priority`. */
  priorities?: ('LOW' | 'MEDIUM' | 'HIGH')[] | undefined
  /** At least one of these. */
  categories?: string[] | undefined
  /** Created at this instant or later. */
  created_after?: string | undefined
  /** Created at this instant or earlier. */
  created_before?: string | undefined
  /** Results with a lower `score` are left out and not counted; MEDIUM begins at 0.33, HIGH at 0.66. */
  min_score?: number | undefined
  /** The IANA time zone in which "today", "last week" and other times in the text are read; the workspace's `timezone` when left out. */
  timezone?: string | undefined
  /** Results on a page; 10 by default. */
  limit?: number | undefined
  /** By words and meaning, by meaning, or by exact words. */
  mode?: 'hybrid' | 'semantic' | 'keyword' | undefined
  /** Adds related terms in hybrid and semantic mode. */
  expand?: boolean | undefined
  /** Adds to each result the parts of its score. */
  explain?: boolean | undefined
  /** From 1. */
  page?: number | undefined
  /** Another name for `limit`; give one of them. */
  page_size?: number | undefined
  /** Conditions on metadata, all of which must hold: `{key: value}`, or `{key: {eq, ne, gt, gte, lt, lte, in, exists}}`. Dots in a key lead into objects, unless a memory has the whole as one key; `\.` is a literal dot. */
  filter?: Record<string, unknown> | undefined
  /** Memories whose processing is in any of these states. */
  status?: ('PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED')[] | undefined
  /** Memories that name this entity. */
  entity_id?: string | undefined
  /** Memories that name an entity of this name, whatever its letter case; aliases count. */
  entity_name?: string | undefined
  /** Memories that say this relationship of the graph, or that it has ended. */
  relationship_id?: string | undefined
}

export interface ExplainSearchInput {
  /** The search text; in keyword mode `"phrases"`, `-exclusions` and `OR` are operators. */
  query: string
  /** The memory to look for in the results. */
  memory_id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Memories of this user. */
  user_id?: string | undefined
  /** Memories of this agent. */
  agent_id?: string | undefined
  /** Memories of this session. */
  session_id?: string | undefined
  /** Memories of this priority. */
  priority?: 'LOW' | 'MEDIUM' | 'HIGH' | undefined
  /** Any of these; takes precedence over `priority`. */
  priorities?: ('LOW' | 'MEDIUM' | 'HIGH')[] | undefined
  /** At least one of these. */
  categories?: string[] | undefined
  /** Created at this instant or later. */
  created_after?: string | undefined
  /** Created at this instant or earlier. */
  created_before?: string | undefined
  /** Results with a lower `score` are left out and not counted; MEDIUM begins at 0.33, HIGH at 0.66. */
  min_score?: number | undefined
  /** The IANA time zone in which "today", "last week" and other times in the text are read; the workspace's `timezone` when left out. */
  timezone?: string | undefined
  /** Results on a page; 10 by default. */
  limit?: number | undefined
  /** By words and meaning, by meaning, or by exact words. */
  mode?: 'hybrid' | 'semantic' | 'keyword' | undefined
  /** Adds related terms in hybrid and semantic mode. */
  expand?: boolean | undefined
  /** Another name for `limit`; give one of them. */
  page_size?: number | undefined
  /** Conditions on metadata, all of which must hold: `{key: value}`, or `{key: {eq, ne, gt, gte, lt, lte, in, exists}}`. Dots in a key lead into objects, unless a memory has the whole as one key; `\.` is a literal dot. */
  filter?: Record<string, unknown> | undefined
  /** Memories whose processing is in any of these states. */
  status?: ('PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED')[] | undefined
  /** Memories that name this entity. */
  entity_id?: string | undefined
  /** Memories that name an entity of this name, whatever its letter case; aliases count. */
  entity_name?: string | undefined
  /** Memories that say this relationship of the graph, or that it has ended. */
  relationship_id?: string | undefined
}

export interface GetSearchBalanceInput {
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ResetSearchBalanceInput {
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListEntitiesInput {
  /** Entities of this user. */
  user_id?: string | undefined
  /** Entities of this type. */
  type?: 'PERSON' | 'ORGANIZATION' | 'PLACE' | 'THING' | undefined
  /** The graph as it was known at this instant; left out: now. */
  as_of?: string | undefined
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetEntityInput {
  /** The entity's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListRelationshipsInput {
  /** The entity's id. */
  id: string
  /** The graph as it was known at this instant; left out: now. */
  as_of?: string | undefined
  /** Adds relationships that hold no more. */
  include_history?: boolean | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface SearchEntitiesInput {
  /** A name, or what the entity is. */
  query: string
  /** Entities of this user. */
  user_id?: string | undefined
  /** Entities of this type. */
  type?: 'PERSON' | 'ORGANIZATION' | 'PLACE' | 'THING' | undefined
  /** Entities at most. */
  limit?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface TraverseGraphInput {
  /** The entity to start from. */
  from: string
  /** Steps away from it at most. */
  depth?: number | undefined
  /** Follows relationships of this type only. */
  relationship_type?: 'WORKS_AT' | 'MANAGES' | 'REPORTS_TO' | 'COLLABORATES_WITH' | 'KNOWS' | 'RELATED_TO' | 'MARRIED_TO' | 'PARENT_OF' | 'LIVES_IN' | 'LOCATED_IN' | 'BORN_IN' | 'VISITED' | 'OWNS' | 'CREATED' | 'USES_TECHNOLOGY' | 'PART_OF' | 'MEMBER_OF' | 'STUDIED_AT' | 'LIKES' | 'DISLIKES' | 'INTERESTED_IN' | undefined
  /** Walks over entities of this type only; the start may be of any. */
  entity_type?: 'PERSON' | 'ORGANIZATION' | 'PLACE' | 'THING' | undefined
  /** Relationships at most, the nearest and then the strongest. */
  limit?: number | undefined
  /** The graph as it was known at this instant; left out: now. */
  as_of?: string | undefined
  /** Adds relationships that hold no more. */
  include_history?: boolean | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetGraphOverviewInput {
  /** The graph of this user. */
  user_id?: string | undefined
  /** Entities of this type, and relationships between them. */
  entity_type?: 'PERSON' | 'ORGANIZATION' | 'PLACE' | 'THING' | undefined
  /** Relationships of this type. */
  relationship_type?: 'WORKS_AT' | 'MANAGES' | 'REPORTS_TO' | 'COLLABORATES_WITH' | 'KNOWS' | 'RELATED_TO' | 'MARRIED_TO' | 'PARENT_OF' | 'LIVES_IN' | 'LOCATED_IN' | 'BORN_IN' | 'VISITED' | 'OWNS' | 'CREATED' | 'USES_TECHNOLOGY' | 'PART_OF' | 'MEMBER_OF' | 'STUDIED_AT' | 'LIKES' | 'DISLIKES' | 'INTERESTED_IN' | undefined
  /** Relationships of this weight at least. */
  min_weight?: number | undefined
  /** The graph as it was known at this instant; left out: now. */
  as_of?: string | undefined
  /** Adds relationships that hold no more. */
  include_history?: boolean | undefined
  /** Entities at most, the most connected. */
  limit?: number | undefined
  /** Relationships at most, the strongest. */
  edges_limit?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface AskGraphInput {
  /** A question. */
  query: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Whose graph is asked; "I" in the question is this user. */
  user_id?: string | undefined
  /** Entities considered at most; 10 when left out. */
  limit?: number | undefined
  /** The graph as it was known at this instant; left out: now. */
  as_of?: string | undefined
  /** The IANA time zone in which "today", "last week" and other times in the text are read; the workspace's `timezone` when left out. */
  timezone?: string | undefined
}

export interface ListKnowledgeInput {
  /** Entries of this user. */
  user_id?: string | undefined
  /** Entries of this category. */
  category?: string | undefined
  /** Entries whose content holds every word, in the same form or in another one of English. */
  search?: string | undefined
  /** Responds with one profile of all entries that match. */
  merged?: boolean | undefined
  /** From 1. Not for a merged profile. */
  page?: number | undefined
  /** Entries on a page. Not for a merged profile. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CompileKnowledgeInput {
  /** Whose knowledge. */
  user_id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Only this category; every one when left out. */
  category?: string | undefined
}

export interface GetKnowledgeInput {
  /** The entry's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface UpdateKnowledgeInput {
  /** The entry's id. */
  id: string
  /** The whole content as it should be. */
  content: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** The version that was edited. When the entry has another by now, nothing is changed. */
  version?: number | undefined
}

export interface DeleteKnowledgeInput {
  /** The entry's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListKnowledgeVersionsInput {
  /** The entry's id. */
  id: string
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface RestoreKnowledgeVersionInput {
  /** The entry's id. */
  id: string
  /** The number of the version. */
  version: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface SetProfileSchemaInput {
  /** Always `object`. */
  type: 'object'
  /** The properties: plain values, lists of them, and objects; at most 50 in all, three levels deep. */
  properties: Record<string, unknown>
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetProfileSchemaInput {
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface DeleteProfileSchemaInput {
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface AssembleContextInput {
  /** The message to be answered, or what the conversation is about; plain language. Of more than 1,000 characters the first and last sentences are searched for. */
  query: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Memories of this user. */
  user_id?: string | undefined
  /** Memories of this agent. */
  agent_id?: string | undefined
  /** Memories of this session. */
  session_id?: string | undefined
  /** Only memories with at least one of these. */
  categories?: string[] | undefined
  /** Results with a lower `score` are left out and not counted; MEDIUM begins at 0.33, HIGH at 0.66. */
  min_score?: number | undefined
  /** The IANA time zone in which "today", "last week" and other times in the text are read; the workspace's `timezone` when left out. */
  timezone?: string | undefined
  /** The context is at most so long, in characters. A token of English has about four. */
  max_characters?: number | undefined
}

export interface CreateConversationInput {
  /** In the order in which they were said. At most 1000000 characters in all. */
  messages: CreateConversationMessage[]
  /** Responds 200 with what would be stored now, and stores nothing; for at most 100 messages with 50000 characters in all. */
  dry_run?: boolean | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** The user the memory belongs to; `default` when omitted or null. */
  user_id?: string | null | undefined
  /** The agent that stores it. */
  agent_id?: string | null | undefined
  /** The conversation it comes from. */
  session_id?: string | null | undefined
  /** MEDIUM when omitted. */
  priority?: 'LOW' | 'MEDIUM' | 'HIGH' | null | undefined
  /** Trimmed and deduplicated. */
  categories?: string[] | null | undefined
  /** Any JSON object of at most 8192 bytes; each memory gets it, with `conversation_id`, `turn`, `role` and `said_at` added, and `said_by` of what the assistant said. A `said_at` of null says that the time of messages without `created_at` is not known; it stays null. */
  metadata?: Record<string, unknown> | null | undefined
  /** What a language model is to keep of it and what to leave out, in plain words, within the rules that it has; without a model it changes nothing. */
  instructions?: string | undefined
}

export interface GetConversationInput {
  /** The conversation's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ReprocessConversationInput {
  /** The conversation's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CreateExportInput {
  /** JSONL can be imported again without loss; JSON, CSV (memories only) and MARKDOWN are for other uses. */
  format: 'JSONL' | 'JSON' | 'CSV' | 'MARKDOWN'
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Only memories of this user; those of all users when left out. */
  user_id?: string | undefined
  /** Only memories with at least one of these. Sections that cannot be narrowed down to them, such as `graph`, are left out. */
  categories?: string[] | undefined
  /** What is included: `memories`, `history` (with its memories), `knowledge`, `graph`, `ingest` (documents), `templates`, and sections of further plugins. Everything when left out, memories alone where it is empty and in CSV. Beside `categories` it may not name `graph` or `templates`. */
  include?: string[] | undefined
}

export interface ListExportsInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetExportInput {
  /** The export's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface DeleteExportInput {
  /** The export's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface DownloadExportInput {
  /** The export's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CreateImportInput {
  /** The file. A line, or an item of a document, has at most 1 MB. A longer line is 413 where the first line shows that the file is one of lines. At most 2 GB. */
  file: Blob
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** The user of memories that name none; `default` when left out. */
  user_id?: string | undefined
}

export interface ListImportsInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetImportInput {
  /** The import's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface IngestDocumentInput {
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** `PDF`, `EPUB`, `PPTX`, `XLSX`, `DOCX`, `RTF`, `HTML`, `IPYNB`, `JSON`, `SUBTITLES` (or `SRT`) (or `VTT`), `ICS`, `EML`, `CSV`, `MARKDOWN` (or `MD`), `TEXT` (or `TXT`) or `URL`, in any letter case; left out, it is inferred from the file. */
  format?: string | undefined
  /** The user the memory belongs to; `default` when omitted. */
  user_id?: string | undefined
  /** Trimmed and deduplicated. */
  categories?: string[] | undefined
  /** The address of a public page, in place of a file. */
  source_url?: string | undefined
  /** Tells the user's documents apart, as by a path: a newer version replaces what has the same name. Left out, it is the address or the file's name. */
  document_name?: string | undefined
  /** Replaces all that the same user ingested under the same `document_name`: unchanged chunks keep their memories, new ones are added, removed ones deleted, unless another document of the user has them too. Needs memory.delete. Where several documents have the name of the file, `document_name` must be given: 409 `DOCUMENT_AMBIGUOUS`. */
  replace?: boolean | undefined
  /** What a language model is to keep of it and what to leave out, in plain words, within the rules that it has; without a model it changes nothing. */
  instructions?: string | undefined
  /** The file: PDF, Book (EPUB), PowerPoint (PPTX), Excel (XLSX), Word (DOCX), Rich text (RTF), Notebook (IPYNB) and E-mail (EML) of at most 20 MB, CSV of at most 10 MB, HTML, JSON, Subtitles (SRT, VTT), Calendar (ICS), Markdown and Plain text of at most 5 MB. At most 20 MB. */
  file?: Blob | undefined
}

export interface ListIngestJobsInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Jobs of this status. */
  status?: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | undefined
  /** Jobs for this user. */
  user_id?: string | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetIngestJobInput {
  /** The job's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface DeleteIngestJobInput {
  /** The job's id. */
  id: string
  /** Deletes the memories of the document too, but for texts that another document of the user has. */
  memories?: boolean | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListIngestJobMemoriesInput {
  /** The job's id. */
  id: string
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CancelIngestJobInput {
  /** The job's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListTemplatesInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CreateTemplateInput {
  /** A name for people. */
  name: string
  /** The memories it makes, in order. The whole template has at most 100000 bytes of JSON. */
  memories: CreateTemplateMemory[]
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Says what the template is for. */
  description?: string | null | undefined
  /** Every placeholder of the texts. */
  variables?: CreateTemplateVariable[] | undefined
}

export interface ListBuiltInTemplatesInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CopyBuiltInTemplateInput {
  /** The built-in template's key. */
  key: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetTemplateInput {
  /** The template's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface UpdateTemplateInput {
  /** The template's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** A name for people. */
  name?: string | undefined
  /** Says what the template is for. */
  description?: string | null | undefined
  /** Every placeholder of the texts. */
  variables?: UpdateTemplateVariable[] | undefined
  /** The memories it makes, in order. The whole template has at most 100000 bytes of JSON. */
  memories?: UpdateTemplateMemory[] | undefined
}

export interface DeleteTemplateInput {
  /** The template's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface PreviewTemplateInput {
  /** The template's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Values by the names of variables. A name that the template does not have is an error. */
  variables?: Record<string, string> | undefined
}

export interface ApplyTemplateInput {
  /** The template's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** The user the memory belongs to; `default` when omitted or null. */
  user_id?: string | null | undefined
  /** The agent that stores it. */
  agent_id?: string | null | undefined
  /** The conversation it comes from. */
  session_id?: string | null | undefined
  /** Values by the names of variables. A name that the template does not have is an error. */
  variables?: Record<string, string> | undefined
}

export interface CreateWebhookInput {
  /** Where deliveries are sent to: http or https, at a public address, without a user name or password. */
  url: string
  /** Kinds of events as `GET /v1/webhooks/events` lists them, or `*` for all. */
  events: string[]
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** What it is for. */
  description?: string | null | undefined
  /** `true` when omitted. `false` pauses the webhook: new events are not delivered, and waiting deliveries resume when it is active again, within 24 hours. */
  active?: boolean | undefined
}

export interface ListWebhooksInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListEventKindsInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetWebhookInput {
  /** The webhook's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface UpdateWebhookInput {
  /** The webhook's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** Where deliveries are sent to: http or https, at a public address, without a user name or password. */
  url?: string | undefined
  /** Kinds of events as `GET /v1/webhooks/events` lists them, or `*` for all. */
  events?: string[] | undefined
  /** What it is for. */
  description?: string | null | undefined
  /** `true` when omitted. `false` pauses the webhook: new events are not delivered, and waiting deliveries resume when it is active again, within 24 hours. */
  active?: boolean | undefined
}

export interface DeleteWebhookInput {
  /** The webhook's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface RotateWebhookSecretInput {
  /** The webhook's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface TestWebhookInput {
  /** The webhook's id. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListDeliveriesInput {
  /** The webhook's id. */
  id: string
  /** Only those in this state. */
  status?: 'PENDING' | 'SUCCEEDED' | 'FAILED' | undefined
  /** Only those of this kind of event. */
  event?: string | undefined
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface RedeliverDeliveryInput {
  /** The webhook's id. */
  id: string
  /** The delivery's id. */
  delivery_id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface RedeliverFailedDeliveriesInput {
  /** The webhook's id. */
  id: string
  /** Deliveries of events from this moment on that have failed. */
  since: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetConnectionRequestInput {
  /** The id that the application got when it registered. */
  client_id: string
  /** Where the answer goes. */
  redirect_uri: string
  /** `code`. */
  response_type?: string | undefined
  /** SHA-256 of the verifier, in base64url. */
  code_challenge?: string | undefined
  /** `S256`. */
  code_challenge_method?: string | undefined
  /** Permissions, separated by spaces; all that an application may have where it is left out. */
  scope?: string | undefined
  /** Goes back with the answer. */
  state?: string | undefined
  /** What the token is for: the address of the MCP endpoint. */
  resource?: string | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListConnectionsInput {
  /** From 1. */
  page?: number | undefined
  /** Items on a page. */
  page_size?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CreateConnectionInput {
  /** The parameters of the application. */
  request: CreateConnectionRequest
  /** What the application may do, of what it asks for. */
  permissions: string[]
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** It reads and writes only this user's; left out: everything of the workspace. */
  user_id?: string | undefined
}

export interface RemoveConnectionInput {
  /** Id of the connection. */
  id: string
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetDashboardSummaryInput {
  /** A rolling window: so many times 24 hours up to now, or so many days of `timezone` before `end_date`; 30 when left out. `start_date` wins over it. */
  days?: number | undefined
  /** The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC. */
  start_date?: string | undefined
  /** The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names. */
  end_date?: string | undefined
  /** An IANA time zone in which days begin; UTC when left out. */
  timezone?: string | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListActivityInput {
  /** Only what happened in so many days; all that is kept when left out. `start_date` wins over it. */
  days?: number | undefined
  /** The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC. */
  start_date?: string | undefined
  /** The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names. */
  end_date?: string | undefined
  /** An IANA time zone in which days begin; UTC when left out. */
  timezone?: string | undefined
  /** Only events of these types. */
  event_type?: string[] | undefined
  /** Only events of this user. */
  user_id?: string | undefined
  /** Events on a page at the most. */
  limit?: number | undefined
  /** From 1. */
  page?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetMemoryChartInput {
  /** Whole days of `timezone`; the last is today, or that of `end_date`; 30 when left out. `start_date` wins over it. */
  days?: number | undefined
  /** The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC. */
  start_date?: string | undefined
  /** The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names. */
  end_date?: string | undefined
  /** An IANA time zone in which days begin; UTC when left out. */
  timezone?: string | undefined
  /** What a point stands for. A week is shown under its Monday, a month under its first day. */
  granularity?: 'day' | 'week' | 'month' | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetRequestChartInput {
  /** Whole days of `timezone`; the last is today, or that of `end_date`; 30 when left out. `start_date` wins over it. */
  days?: number | undefined
  /** The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC. */
  start_date?: string | undefined
  /** The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names. */
  end_date?: string | undefined
  /** An IANA time zone in which days begin; UTC when left out. */
  timezone?: string | undefined
  /** What a point stands for. A week is shown under its Monday, a month under its first day. */
  granularity?: 'day' | 'week' | 'month' | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetTokenChartInput {
  /** Whole days of `timezone`; the last is today, or that of `end_date`; 30 when left out. `start_date` wins over it. */
  days?: number | undefined
  /** The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC. */
  start_date?: string | undefined
  /** The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names. */
  end_date?: string | undefined
  /** An IANA time zone in which days begin; UTC when left out. */
  timezone?: string | undefined
  /** What a point stands for. A week is shown under its Monday, a month under its first day. */
  granularity?: 'day' | 'week' | 'month' | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetSearchQualityInput {
  /** A rolling window: so many times 24 hours up to now, or so many days of `timezone` before `end_date`; 30 when left out. `start_date` wins over it. */
  days?: number | undefined
  /** The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC. */
  start_date?: string | undefined
  /** The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names. */
  end_date?: string | undefined
  /** An IANA time zone in which days begin; UTC when left out. */
  timezone?: string | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetCategorySharesInput {
  /** A rolling window: so many times 24 hours up to now, or so many days of `timezone` before `end_date`; 30 when left out. `start_date` wins over it. */
  days?: number | undefined
  /** The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC. */
  start_date?: string | undefined
  /** The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names. */
  end_date?: string | undefined
  /** An IANA time zone in which days begin; UTC when left out. */
  timezone?: string | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListTopQueriesInput {
  /** A rolling window: so many times 24 hours up to now, or so many days of `timezone` before `end_date`; 30 when left out. `start_date` wins over it. */
  days?: number | undefined
  /** The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC. */
  start_date?: string | undefined
  /** The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names. */
  end_date?: string | undefined
  /** An IANA time zone in which days begin; UTC when left out. */
  timezone?: string | undefined
  /** Queries at the most. */
  limit?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface ListAlertsInput {
  /** A rolling window: so many times 24 hours up to now, or so many days of `timezone` before `end_date`; 30 when left out. `start_date` wins over it. */
  days?: number | undefined
  /** The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC. */
  start_date?: string | undefined
  /** The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names. */
  end_date?: string | undefined
  /** An IANA time zone in which days begin; UTC when left out. */
  timezone?: string | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface DiagnoseSearchesInput {
  /** A rolling window: so many times 24 hours up to now, or so many days of `timezone` before `end_date`; 30 when left out. `start_date` wins over it. */
  days?: number | undefined
  /** The beginning of the period; a date alone is its first instant in `timezone`, a time without offset is in UTC. */
  start_date?: string | undefined
  /** The end of the period, now when left out; a date alone includes the whole day, week, month or year that it names. */
  end_date?: string | undefined
  /** An IANA time zone in which days begin; UTC when left out. */
  timezone?: string | undefined
  /** Queries of each list at the most. */
  limit?: number | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface GetBacklogInput {
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface CallMcpInput {
  /** The version of JSON-RPC. */
  jsonrpc: '2.0'
  /** As `initialize`, `tools/list` or `tools/call`. */
  method: string
  /** Whose memory this is: calls of tools that name no user are for this one. */
  user_id?: string | undefined
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
  /** The reply has the same. */
  id?: string | number | undefined
  /** What the method takes. */
  params?: Record<string, unknown> | undefined
}

export interface GetConsoleMenuInput {
  /** Works on this workspace instead of the key's own. */
  workspace_id?: string | undefined
}

export interface SignInInput {
  /** The e-mail address of the account, in any letter case. */
  email: string
  /** Its password. */
  password: string
  /** false makes the session end with the browser and after a day; true is the default. */
  rememberMe?: boolean | undefined
}

export interface RevokeSessionInput {
  /** Of the session to end, as `list-sessions` shows it. */
  token: string
}

export interface ChangePasswordInput {
  /** The password so far. */
  currentPassword: string
  /** The password from now on. */
  newPassword: string
  /** true ends all of the account's sessions but this one, which gets a new cookie. */
  revokeOtherSessions?: boolean | undefined
}

export interface GetReadinessInput {
  /** `none` asks only whether the process stops, at once and of nothing else. */
  checks?: 'all' | 'none' | undefined
}

export interface GetDocsFileInput {
  /** Name of the file. */
  file: string
}

/** Every operation of the service, with what it takes and gives. */
export interface Operations {
  /**
   * List workspaces.
   *
   * Workspaces that the key may use, or all that the signed-in account owns or is a member of, oldest first. A test key sees their test twins.
   *
   * Permission: `workspace.read`.
   */
  listWorkspaces: { input: ListWorkspacesInput; output: WorkspacePage }
  /**
   * Create a workspace.
   *
   * Creates a workspace with its test twin. It gets the plan of the caller's workspace; a signed-in account may choose another. A key that creates a workspace may use it from then on. The plan of the account's first workspace says how many there may be, and that of a key's own workspace how many the key may have.
   *
   * Permission: `workspace.write`.
   */
  createWorkspace: { input: CreateWorkspaceInput; output: Workspace }
  /**
   * Get a workspace.
   *
   * Permission: `workspace.read`.
   */
  getWorkspace: { input: GetWorkspaceInput; output: Workspace }
  /**
   * Update a workspace.
   *
   * Changes the given fields. Settings merge key by key, nested ones too; null restores the default. Some settings require more than the permission, as their descriptions say. Only a signed-in account changes the plan.
   *
   * Permission: `workspace.write`.
   */
  updateWorkspace: { input: UpdateWorkspaceInput; output: Workspace }
  /**
   * Delete a workspace.
   *
   * Permanently deletes the workspace with its test twin, its keys and all data. It cannot be reached from this moment on; a job removes the data. Requires the account password in `X-Confirm-Password`. The last workspace of an account cannot be deleted.
   *
   * Permission: `workspace.delete`.
   */
  deleteWorkspace: { input: DeleteWorkspaceInput; output: void }
  /**
   * List API keys.
   *
   * API keys of all workspaces of the account, newest first, without the keys themselves; an admin of the workspace of another account sees those that are good for it alone. Revoked keys are not listed.
   *
   * For a signed-in account only, never for a key.
   */
  listApiKeys: { input: ListApiKeysInput; output: ApiKeyPage }
  /**
   * Create an API key.
   *
   * The key is shown in this response only. With `user_id` it is bound to that user: it reads and writes only what is of the user, and can be held by a browser or by the agent of that user.
   *
   * For a signed-in account only, never for a key.
   */
  createApiKey: { input: CreateApiKeyInput; output: ApiKeyWithSecret }
  /**
   * List permissions.
   *
   * All permissions that a key can be given, in groups.
   *
   * Any valid key or session.
   */
  listPermissions: { input: Record<never, never>; output: ListPermissionsResult }
  /**
   * Update an API key.
   *
   * Changes the given fields; lists are replaced. The workspace, the mode, the user and the key itself do not change.
   *
   * For a signed-in account only, never for a key.
   */
  updateApiKey: { input: UpdateApiKeyInput; output: ApiKey }
  /**
   * Revoke an API key.
   *
   * It and its tokens stop working within 5 seconds on every server.
   *
   * For a signed-in account only, never for a key.
   */
  revokeApiKey: { input: RevokeApiKeyInput; output: void }
  /**
   * Rotate an API key.
   *
   * Gives it a new secret, shown in this response only. The old one, and the tokens that were made with it, stop working within 5 seconds; to change over without a gap, create a second key instead and revoke this one later.
   *
   * For a signed-in account only, never for a key.
   */
  rotateApiKey: { input: RotateApiKeyInput; output: ApiKeyWithSecret }
  /**
   * List members.
   *
   * Accounts that may use the workspace, those who own it first, and invitations that are not accepted yet.
   *
   * For a signed-in account only, never for a key.
   */
  listMembers: { input: ListMembersInput; output: MemberPage }
  /**
   * Invite a member.
   *
   * Makes a link that is shown in this response only, is good for seven days and one person, and is sent by nobody but you. With an `email` only the account with that address may accept it.
   *
   * For a signed-in account only, never for a key.
   */
  inviteMember: { input: InviteMemberInput; output: Invitation }
  /**
   * Accept an invitation.
   *
   * Makes the signed-in account a member of the workspace. Without a session it makes an account with the given address and password, which signs in then. The link serves once.
   *
   * Open to anyone.
   */
  acceptInvitation: { input: AcceptInvitationInput; output: AcceptInvitationResult }
  /**
   * Give a member another role.
   *
   * It holds within 5 seconds on every server. An invitation gets another role in the same way.
   *
   * For a signed-in account only, never for a key.
   */
  updateMember: { input: UpdateMemberInput; output: Member }
  /**
   * Remove a member.
   *
   * The account reaches the workspace no longer, within 5 seconds on every server; keys that it made stay. Of an invitation the link ends. Everybody who lists members may leave.
   *
   * For a signed-in account only, never for a key.
   */
  removeMember: { input: RemoveMemberInput; output: void }
  /**
   * Make a token for a user.
   *
   * A token is a key for a day at most that reads and writes only what is of one user, made without a signed-in account: for the browser or the agent of that user. It has at most the permissions of the key that makes it, is in no list, and ends with that key. Of a signed-in account it is an API key with a time, listed and revoked as one.
   *
   * Permission: `token.write`.
   */
  createToken: { input: CreateTokenInput; output: Token }
  /**
   * Create a memory.
   *
   * Stores a text and queues it for processing. Keyword searches find it at once, searches by meaning when its status is COMPLETED.
   *
   * Permission: `memory.write`.
   */
  createMemory: { input: CreateMemoryInput; output: StoredMemory }
  /**
   * List or search memories.
   *
   * Without `search`: newest first. With it: best first, with the same filters.
   *
   * Permission: `memory.read`.
   */
  listMemories: { input: ListMemoriesInput; output: MemoryPage }
  /**
   * Delete all memories.
   *
   * Permanently deletes the memories of the workspace, a user, an agent or a session (of all that are given together) in one transaction, with conversations, documents and imports that are still being processed. Needs the account password in `X-Confirm-Password`.
   *
   * Permission: `memory.delete`.
   */
  deleteMemories: { input: DeleteMemoriesInput; output: void }
  /**
   * Create up to 500 memories.
   *
   * Results come in the order sent, and a bad item does not fail the others. Good items are stored in short transactions. After a 503, or where the client goes away before the response, items that were stored stay stored, and the rest is not: the same request with the same `Idempotency-Key` completes the batch and responds with the result of every item.
   *
   * Permission: `memory.write`.
   */
  createMemoryBatch: { input: CreateMemoryBatchInput; output: CreateMemoryBatchResult }
  /**
   * List users and agents.
   *
   * Users and agents with the number of their memories: users first, then agents, each with most memories first; the 10,000 largest of each.
   *
   * Permission: `memory.read`.
   */
  listUsersAndAgents: { input: ListUsersAndAgentsInput; output: UserOrAgent[] }
  /**
   * List categories.
   *
   * Every category of the workspace's memories once, sorted; the first 10,000.
   *
   * Permission: `memory.read`.
   */
  listCategories: { input: ListCategoriesInput; output: ListCategoriesResult }
  /**
   * Get a user's profile.
   *
   * A summary of what the memories say about a user; null until one is compiled. With `shape=schema` the properties of the schema that `PUT /v1/profiles/schema` has set, null where not known, and the memory behind each value in `sources`; null without a schema.
   *
   * Permission: `memory.read`.
   */
  getProfile: { input: GetProfileInput; output: GetProfileResult | ShapedProfile }
  /**
   * Get one memory.
   *
   * All fields, with access counts and feedback. Consolidated memories stay readable here and name their survivor.
   *
   * Permission: `memory.read`.
   */
  getMemory: { input: GetMemoryInput; output: Memory }
  /**
   * Update a memory.
   *
   * Replaces the text and, where given, priority, categories and metadata; omitted fields stay. The memory is processed again even if nothing changed.
   *
   * Permission: `memory.write`.
   */
  updateMemory: { input: UpdateMemoryInput; output: StoredMemory }
  /**
   * Delete a memory.
   *
   * Permanently deletes text, history, index entries, and the memories it absorbed.
   *
   * Permission: `memory.delete`.
   */
  deleteMemory: { input: DeleteMemoryInput; output: void }
  /**
   * Make a TASK memory permanent.
   *
   * Removes its expiry and processes it again.
   *
   * Permission: `memory.write`.
   */
  promoteMemory: { input: PromoteMemoryInput; output: Message }
  /**
   * Process all failed memories again.
   *
   * Queues every memory that is FAILED, or with `user_id` those of one user, piece by piece in the background, without changing it: for example after the cause of the failures is mended.
   *
   * Permission: `memory.write`.
   */
  reprocessMemories: { input: ReprocessMemoriesInput; output: Message }
  /**
   * Process a memory again.
   *
   * Queues it without changing it, for example after its processing failed.
   *
   * Permission: `memory.write`.
   */
  reprocessMemory: { input: ReprocessMemoryInput; output: Message }
  /**
   * Restore a consolidated memory.
   *
   * Restores a memory that was merged into another exactly as it was, processes it again and excludes it from later merges. The survivor loses what it gained from this memory alone.
   *
   * Permission: `memory.write`.
   */
  restoreMemory: { input: RestoreMemoryInput; output: StoredMemory }
  /**
   * Give feedback on a memory.
   *
   * With the `query_hash` of a search response, the ranking of that query learns from the signal.
   *
   * Permission: `memory.write`.
   */
  giveFeedback: { input: GiveFeedbackInput; output: void }
  /**
   * List a memory's history.
   *
   * Every version of its text, and what was merged into it, oldest first.
   *
   * Permission: `memory.read`.
   */
  listMemoryHistory: { input: ListMemoryHistoryInput; output: MemoryEventPage }
  /**
   * List users.
   *
   * Users with memories, by their ids: how many, and when the first and the last of these were created.
   *
   * Permission: `memory.read`.
   */
  listUsers: { input: ListUsersInput; output: UserPage }
  /**
   * Erase a user by query.
   *
   * The same as `DELETE /v1/users/:user_id`, for ids that cannot stand in a path: `.` and `..`.
   *
   * Permission: `user.delete`.
   */
  deleteNamedUser: { input: DeleteNamedUserInput; output: Erasure }
  /**
   * Erase a user.
   *
   * Removes or blanks in the background everything that is kept of a user: memories, searches, graph, knowledge, also what was written by hand, conversations, documents, exports, deliveries and kept responses. What comes for the user before it has ended goes too; what is written after it is a new user's. While an erasure of the user is under way, the response is that one; one that failed begins again. `user.erased` is published as it ends.
   *
   * Permission: `user.delete`.
   */
  deleteUser: { input: DeleteUserInput; output: Erasure }
  /**
   * Get the erasure of a user.
   *
   * Its status and, once it has ended, the receipt: how many rows of which tables were removed. It no longer tells whose they were.
   *
   * Permission: `user.delete`.
   */
  getErasure: { input: GetErasureInput; output: Erasure }
  /**
   * Search memories.
   *
   * Best first. Equals the list with `search`; POST also filters by metadata.
   *
   * Permission: `memory.read`.
   */
  searchMemoriesByQuery: { input: SearchMemoriesByQueryInput; output: FoundMemoryPage }
  /**
   * Search memories with filters on metadata.
   *
   * Best first. `limit` appears as `page_size` in the response; pages do not overlap.
   *
   * Permission: `memory.read`.
   */
  searchMemories: { input: SearchMemoriesInput; output: FoundMemoryPage }
  /**
   * Explain why a memory is, or is not, among the results of a search.
   *
   * Runs the search and looks for one memory: its rank and what its score was made of, or every reason that keeps it out.
   *
   * Permission: `memory.read`.
   */
  explainSearch: { input: ExplainSearchInput; output: ExplainSearchResult }
  /**
   * Get the ranking balance.
   *
   * How much recency and priority move results against their relevance. Learned from feedback that names a `query_hash`, and kept only when it orders queries better that it was not learned from.
   *
   * Permission: `dashboard.read`.
   */
  getSearchBalance: { input: GetSearchBalanceInput; output: GetSearchBalanceResult }
  /**
   * Reset the ranking balance.
   *
   * Results are weighed by the default again. Feedback given so far still moves results for its queries; the balance is learned again from future feedback.
   *
   * Permission: `workspace.write`.
   */
  resetSearchBalance: { input: ResetSearchBalanceInput; output: void }
  /**
   * List entities.
   *
   * The people, organizations, places and things that memories name, newest first.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  listEntities: { input: ListEntitiesInput; output: ListedEntityPage }
  /**
   * Get one entity.
   *
   * With the numbers of its relationships that hold and of the visible memories that name it, both counted now.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  getEntity: { input: GetEntityInput; output: Entity }
  /**
   * List an entity's relationships.
   *
   * A relationship that is the same from either end (`MARRIED_TO`, `KNOWS`, `COLLABORATES_WITH`, `RELATED_TO`) is shown once, as outgoing.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  listRelationships: { input: ListRelationshipsInput; output: ListRelationshipsResult }
  /**
   * Search entities.
   *
   * By meaning of name and description, and by name: an exact name or alias scores 1. Names are found at once, meaning a moment later.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  searchEntities: { input: SearchEntitiesInput; output: FoundEntity[] }
  /**
   * Walk the graph.
   *
   * Follows relationships both ways from one entity, the nearest and among these the strongest first; `source` and `target` keep their direction.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  traverseGraph: { input: TraverseGraphInput; output: TraverseGraphResult }
  /**
   * Get the graph as a whole.
   *
   * The entities of the workspace or of one user, the most connected first, and the strongest relationships between those that are shown. `total_nodes` and `total_edges` tell how many there are beside them.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  getGraphOverview: { input: GetGraphOverviewInput; output: GraphOverview }
  /**
   * Ask the graph.
   *
   * Answers a question from relationships and the memories they rest on, in English, German, Spanish or French. What has ended is stated as past; what is not known is stated as unknown.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  askGraph: { input: AskGraphInput; output: AskGraphResult }
  /**
   * List or merge knowledge.
   *
   * Entries newest first, or with `merged` one profile: the contents of all matching entries, by user and by category. A profile of more than 1,000 entries or 5 million characters is refused; name a `user_id` then.
   *
   * Permission: `knowledge.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  listKnowledge: { input: ListKnowledgeInput; output: KnowledgeEntryPage | MergedProfile }
  /**
   * Compile knowledge now.
   *
   * Compiles at once instead of waiting for a pause in changes. Restores entries that were deleted; changes nothing where nothing is different.
   *
   * Permission: `knowledge.write`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  compileKnowledge: { input: CompileKnowledgeInput; output: CompileKnowledgeResult }
  /**
   * Get a knowledge entry.
   *
   * Permission: `knowledge.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  getKnowledge: { input: GetKnowledgeInput; output: KnowledgeEntry }
  /**
   * Edit a knowledge entry by hand.
   *
   * Send the whole content as it should be. Compiled lines that are kept stay compiled; those left out or changed stay out while their memories say the same; everything else is written by hand and survives compilations. Send the `version` that you read, so that nothing is changed when there is a newer one; without it, lines that came since you last read it stay, and those that went since stay away. A line with a source comment is removed when the memories that it names are deleted or expire; of a merged memory it names the survivor from then on, and ids that no memory has are taken out of the comment.
   *
   * Permission: `knowledge.write`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  updateKnowledge: { input: UpdateKnowledgeInput; output: KnowledgeEntry }
  /**
   * Delete a knowledge entry.
   *
   * Deletes the entry with what was written by hand. The memories stay, so the entry is created again once its statements change or it is compiled.
   *
   * Permission: `knowledge.delete`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  deleteKnowledge: { input: DeleteKnowledgeInput; output: void }
  /**
   * List the versions of a knowledge entry.
   *
   * The last 20, the present one first. What deleted, expired and merged memories said is taken out of all of them, so numbers may be missing.
   *
   * Permission: `knowledge.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  listKnowledgeVersions: { input: ListKnowledgeVersionsInput; output: KnowledgeVersionPage }
  /**
   * Restore a version of a knowledge entry.
   *
   * The same as editing the entry by hand into the content of that version, which becomes a new version: lines that were compiled since stay out while their memories say the same.
   *
   * Permission: `knowledge.write`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  restoreKnowledgeVersion: { input: RestoreKnowledgeVersionInput; output: KnowledgeEntry }
  /**
   * Say which properties a profile has.
   *
   * Takes a JSON Schema object; `GET /v1/memories/profile/:workspaceId/:userId?shape=schema` fills it for a user. At most 50 properties, three levels deep; lists hold plain values. Titles and descriptions help to find what belongs to a property. What nothing heeds, such as `pattern` or `$ref`, is refused.
   *
   * Permission: `knowledge.write`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  setProfileSchema: { input: SetProfileSchemaInput; output: Record<string, unknown> }
  /**
   * Get the workspace's schema of profiles.
   *
   * Permission: `knowledge.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  getProfileSchema: { input: GetProfileSchemaInput; output: Record<string, unknown> }
  /**
   * Delete the workspace's schema of profiles.
   *
   * Permission: `knowledge.write`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  deleteProfileSchema: { input: DeleteProfileSchemaInput; output: void }
  /**
   * Assemble what is known for a prompt.
   *
   * What the user said that always holds, the profile of the user, facts about whom and what the query names, and the memories that fit it best, as Markdown within a length. No language model is called. It counts as a search.
   *
   * Permission: `memory.read`.
   */
  assembleContext: { input: AssembleContextInput; output: AssembleContextResult }
  /**
   * Make memories of a conversation.
   *
   * Draws the facts worth keeping from what the user says in a conversation, and what the assistant did for the user, in the background, and stores each as a memory. The same request sent again within 24 hours is the same conversation, and one that failed is tried again. The response never lists memories: see the conversation for them. With `dry_run=true` the conversation is read at once, the response lists what would be stored, and nothing is.
   *
   * Permission: `memory.write`.
   */
  createConversation: { input: CreateConversationInput; output: ConversationRehearsal | Conversation }
  /**
   * See what came of a conversation.
   *
   * Its status and, once it is COMPLETED or FAILED, the ids of its memories. Deleted memories leave the list.
   *
   * Permission: `memory.read`.
   */
  getConversation: { input: GetConversationInput; output: Conversation }
  /**
   * Try a conversation again that failed.
   *
   * Goes on where it failed, with the messages that were submitted: they are kept for seven days. A conversation that did not fail is left as it is.
   *
   * Permission: `memory.write`.
   */
  reprocessConversation: { input: ReprocessConversationInput; output: Conversation }
  /**
   * Export a workspace.
   *
   * Writes a file in the background, which can be downloaded for 7 days. A memory that is deleted meanwhile is removed from the file; while the file is rewritten, downloads respond with 409 `EXPORT_NOT_READY`. A workspace keeps at most 200, and makes no more while they, and what is written of others, have 20 GB together: `RATE_LIMITED` until one is deleted or expires.
   *
   * Permission: `export.write`.
   *
   * Needs the plan feature `exports`.
   */
  createExport: { input: CreateExportInput; output: Export }
  /**
   * List exports.
   *
   * The newest first.
   *
   * Permission: `export.read`.
   *
   * Needs the plan feature `exports`.
   */
  listExports: { input: ListExportsInput; output: ExportPage }
  /**
   * Get an export.
   *
   * Permission: `export.read`.
   *
   * Needs the plan feature `exports`.
   */
  getExport: { input: GetExportInput; output: Export }
  /**
   * Delete an export.
   *
   * Deletes the export with its file, and stops one that is being written. A download under way breaks off.
   *
   * Permission: `export.write`.
   *
   * Needs the plan feature `exports`.
   */
  deleteExport: { input: DeleteExportInput; output: void }
  /**
   * Download an export.
   *
   * The file, with `ETag` and `Range`, so that an interrupted download can be resumed.
   *
   * Permission: `export.read`.
   *
   * Needs the plan feature `exports`.
   */
  downloadExport: { input: DownloadExportInput; output: Response }
  /**
   * Import a file.
   *
   * Takes a JSONL export of this service, with ids, times and history; exports of mem0, Zep, Hindsight, Supermemory and Letta in JSON; and lines of JSON with a `text`. Memories whose id or text the workspace already has are skipped and counted. It is COMPLETED when all of them can be searched. At most ten imports of a workspace wait; `RATE_LIMITED` beyond.
   *
   * Permission: `export.write`.
   *
   * Needs the plan feature `exports`.
   */
  createImport: { input: CreateImportInput; output: Import }
  /**
   * List imports.
   *
   * The newest first.
   *
   * Permission: `export.read`.
   *
   * Needs the plan feature `exports`.
   */
  listImports: { input: ListImportsInput; output: ImportPage }
  /**
   * Get an import.
   *
   * Permission: `export.read`.
   *
   * Needs the plan feature `exports`.
   */
  getImport: { input: GetImportInput; output: Import }
  /**
   * Make memories of a file or a page.
   *
   * Takes a file, or the address of a public page, and makes memories of its parts in the background. Poll the job until it is COMPLETED, when all of them are searchable, or FAILED, when `error` says why.
   *
   * Permission: `ingest.write`.
   *
   * Needs the plan feature `ingest`.
   */
  ingestDocument: { input: IngestDocumentInput; output: IngestJob }
  /**
   * List ingest jobs.
   *
   * Newest first.
   *
   * Permission: `ingest.read`.
   *
   * Needs the plan feature `ingest`.
   */
  listIngestJobs: { input: ListIngestJobsInput; output: IngestJobPage }
  /**
   * See how far an ingest job is.
   *
   * Its status, its progress, and the reason if it failed.
   *
   * Permission: `ingest.read`.
   *
   * Needs the plan feature `ingest`.
   */
  getIngestJob: { input: GetIngestJobInput; output: IngestJob }
  /**
   * Delete an ingest job.
   *
   * A running job is cancelled first. Its memories stay, unless `memories` is true: then they are deleted for good, which needs memory.delete, but for those whose text another document of the user has too: they become that one's. Once a newer version has begun to take over the memories of the older one, and until it has, both respond with 409 `INGEST_JOB_REPLACING`.
   *
   * Permission: `ingest.write`.
   *
   * Needs the plan feature `ingest`.
   */
  deleteIngestJob: { input: DeleteIngestJobInput; output: void }
  /**
   * List the memories of a document.
   *
   * In the order of the document. Deleted memories leave the list. Needs memory.read, as every list of memories.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `ingest`.
   */
  listIngestJobMemories: { input: ListIngestJobMemoriesInput; output: ListedMemoryPage }
  /**
   * Cancel an ingest job.
   *
   * The job ends as FAILED with the error_code CANCELLED, at once or after its current step. Memories made by then are kept. A newer version of a document that has begun to replace the older one is stored completely first.
   *
   * Permission: `ingest.write`.
   *
   * Needs the plan feature `ingest`.
   */
  cancelIngestJob: { input: CancelIngestJobInput; output: IngestJob }
  /**
   * List templates.
   *
   * Newest first. Built-in templates are listed by `GET /v1/templates/built-in`.
   *
   * Permission: `template.read`.
   *
   * Needs the plan feature `templates`.
   */
  listTemplates: { input: ListTemplatesInput; output: TemplatePage }
  /**
   * Create a template.
   *
   * A list of memories with `{{variable}}` in their texts, categories and the strings of their metadata. Every placeholder must be among the variables.
   *
   * Permission: `template.write`.
   *
   * Needs the plan feature `templates`.
   */
  createTemplate: { input: CreateTemplateInput; output: Template }
  /**
   * List built-in templates.
   *
   * Built-in templates. Copy one to apply or change it.
   *
   * Permission: `template.read`.
   *
   * Needs the plan feature `templates`.
   */
  listBuiltInTemplates: { input: ListBuiltInTemplatesInput; output: BuiltInTemplatePage }
  /**
   * Copy a built-in template.
   *
   * Copies a built-in template into the workspace.
   *
   * Permission: `template.write`.
   *
   * Needs the plan feature `templates`.
   */
  copyBuiltInTemplate: { input: CopyBuiltInTemplateInput; output: Template }
  /**
   * Get a template.
   *
   * Permission: `template.read`.
   *
   * Needs the plan feature `templates`.
   */
  getTemplate: { input: GetTemplateInput; output: Template }
  /**
   * Change a template.
   *
   * Changes the given fields; lists are replaced. Memories that were made from it stay as they are.
   *
   * Permission: `template.write`.
   *
   * Needs the plan feature `templates`.
   */
  updateTemplate: { input: UpdateTemplateInput; output: Template }
  /**
   * Delete a template.
   *
   * Memories that were made of it stay.
   *
   * Permission: `template.delete`.
   *
   * Needs the plan feature `templates`.
   */
  deleteTemplate: { input: DeleteTemplateInput; output: void }
  /**
   * Preview a template.
   *
   * Shows the memories that applying the template with these values would store. Nothing is stored.
   *
   * Permission: `template.read`.
   *
   * Needs the plan feature `templates`.
   */
  previewTemplate: { input: PreviewTemplateInput; output: PreviewTemplateResult }
  /**
   * Apply a template.
   *
   * Stores the memories of the template with the given values, all together or none. Memories whose text the user already has are skipped and counted; where the workspace holds each text once, that of another user is stored with the user’s id before it.
   *
   * Permission: `template.write`.
   *
   * Needs the plan feature `templates`.
   */
  applyTemplate: { input: ApplyTemplateInput; output: ApplyTemplateResult }
  /**
   * Create a webhook.
   *
   * Sends events of the workspace to a URL as signed JSON. The `secret` to verify the signature with is shown in this response alone. Attempts without a 2xx response within 10 seconds are repeated after about 1 minute, 10 minutes, 1 hour and 6 hours.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  createWebhook: { input: CreateWebhookInput; output: WebhookWithSecret }
  /**
   * List webhooks.
   *
   * Newest first.
   *
   * Permission: `webhook.read`.
   *
   * Needs the plan feature `webhooks`.
   */
  listWebhooks: { input: ListWebhooksInput; output: WebhookPage }
  /**
   * List the kinds of events.
   *
   * Every kind that webhooks can have, of all plugins, with the body that receivers get.
   *
   * Permission: `webhook.read`.
   *
   * Needs the plan feature `webhooks`.
   */
  listEventKinds: { input: ListEventKindsInput; output: EventKindPage }
  /**
   * Get a webhook.
   *
   * Permission: `webhook.read`.
   *
   * Needs the plan feature `webhooks`.
   */
  getWebhook: { input: GetWebhookInput; output: Webhook }
  /**
   * Change or pause a webhook.
   *
   * Changes the given fields. Waiting deliveries are sent to the new URL.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  updateWebhook: { input: UpdateWebhookInput; output: Webhook }
  /**
   * Delete a webhook.
   *
   * Deletes the webhook with its deliveries; waiting ones are not sent.
   *
   * Permission: `webhook.delete`.
   *
   * Needs the plan feature `webhooks`.
   */
  deleteWebhook: { input: DeleteWebhookInput; output: void }
  /**
   * Rotate the signing secret.
   *
   * The new `secret` is shown in this response alone. For 24 hours `webhook-signature` holds a signature with the former one too, also after further rotations, up to three; `X-Webhook-Signature` uses the new one at once.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  rotateWebhookSecret: { input: RotateWebhookSecretInput; output: WebhookWithSecret }
  /**
   * Send a test delivery.
   *
   * Sends an event `webhook.test` at once, to a paused webhook too, and responds with its delivery when the receiver has responded, after at most 20 seconds. It is attempted once. A success says that the webhook works again. Two at once in a workspace; `RATE_LIMITED` beyond. `SERVICE_UNAVAILABLE` while the tests of others take all places there are, of which a host has two.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  testWebhook: { input: TestWebhookInput; output: Delivery }
  /**
   * List deliveries.
   *
   * Newest first, with the result of the last attempt of each. They are kept for 30 days. With `event`, or `status=SUCCEEDED`, the newest 100,000 are looked at.
   *
   * Permission: `webhook.read`.
   *
   * Needs the plan feature `webhooks`.
   */
  listDeliveries: { input: ListDeliveriesInput; output: DeliveryPage }
  /**
   * Send a delivery again.
   *
   * In any state: a waiting delivery is attempted now, one that has ended begins another round of attempts. Receivers get the same `webhook-id` and the same body.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  redeliverDelivery: { input: RedeliverDeliveryInput; output: Delivery }
  /**
   * Send all failed deliveries again.
   *
   * Failed deliveries of events since an instant, oldest first, each with another round of attempts; tests are left out.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  redeliverFailedDeliveries: { input: RedeliverFailedDeliveriesInput; output: RedeliverFailedDeliveriesResult }
  /**
   * Tell what an application asks for.
   *
   * For the page where a signed-in account consents: the parameters are those that the application sent the browser with.
   *
   * For a signed-in account only, never for a key.
   */
  getConnectionRequest: { input: GetConnectionRequestInput; output: GetConnectionRequestResult }
  /**
   * List connected applications.
   *
   * Those that the signed-in account has let into the workspace, newest first; an admin of the workspace sees those of everybody.
   *
   * For a signed-in account only, never for a key.
   */
  listConnections: { input: ListConnectionsInput; output: ConnectionPage }
  /**
   * Let an application into a workspace.
   *
   * The signed-in account consents to what the application asked for, or to a part of it. The response says where the browser goes with the code.
   *
   * For a signed-in account only, never for a key.
   */
  createConnection: { input: CreateConnectionInput; output: CreateConnectionResult }
  /**
   * Shut an application out.
   *
   * Its tokens stop working within 5 seconds on every server. An account sees to its own, an admin of the workspace to those of everybody.
   *
   * For a signed-in account only, never for a key.
   */
  removeConnection: { input: RemoveConnectionInput; output: void }
  /**
   * Get the key figures.
   *
   * Each figure with that of the previous period of the same length and, where it is set, its target.
   *
   * Permission: `dashboard.read`.
   */
  getDashboardSummary: { input: GetDashboardSummaryInput; output: GetDashboardSummaryResult }
  /**
   * List activity.
   *
   * What happened in the workspace, newest first. It names memories and holds none of their text.
   *
   * Permission: `dashboard.read`.
   */
  listActivity: { input: ListActivityInput; output: ActivityPage }
  /**
   * Chart memories.
   *
   * How many were created.
   *
   * Permission: `dashboard.read`.
   */
  getMemoryChart: { input: GetMemoryChartInput; output: CountPoint[] }
  /**
   * Chart requests.
   *
   * How many were made.
   *
   * Permission: `dashboard.read`.
   */
  getRequestChart: { input: GetRequestChartInput; output: CountPoint[] }
  /**
   * Chart tokens.
   *
   * What models read and wrote.
   *
   * Permission: `dashboard.read`.
   */
  getTokenChart: { input: GetTokenChartInput; output: TokenPoint[] }
  /**
   * Get the quality of searches.
   *
   * Search quality in the period, and the tokens that models used, by operation.
   *
   * Permission: `dashboard.read`.
   */
  getSearchQuality: { input: GetSearchQualityInput; output: GetSearchQualityResult }
  /**
   * Count memories by category.
   *
   * Memories created in the period, by days in UTC, each as it stood at the end of its day.
   *
   * Permission: `dashboard.read`.
   */
  getCategoryShares: { input: GetCategorySharesInput; output: GetCategorySharesResult }
  /**
   * List the most frequent queries.
   *
   * Queries that differ in case and spacing alone count as one. By days in UTC: of each, and of whole months and thirds of months, the 200 most frequent are known and 200 that went worst.
   *
   * Permission: `dashboard.read`.
   */
  listTopQueries: { input: ListTopQueriesInput; output: ListTopQueriesResult }
  /**
   * List alerts.
   *
   * They are checked every ten minutes, and here anew after ten seconds; reported once, they resolve by themselves.
   *
   * Permission: `dashboard.read`.
   */
  listAlerts: { input: ListAlertsInput; output: Alert[] }
  /**
   * Diagnose searches.
   *
   * The queries with the weakest results and those without any, with what can be done about each.
   *
   * Permission: `dashboard.read`.
   */
  diagnoseSearches: { input: DiagnoseSearchesInput; output: DiagnoseSearchesResult }
  /**
   * Count what waits.
   *
   * Every count is exact, at the moment of the request.
   *
   * Permission: `dashboard.read`.
   */
  getBacklog: { input: GetBacklogInput; output: GetBacklogResult }
  /**
   * The memory as tools, resources and prompts for agents (MCP).
   *
   * Speaks the Model Context Protocol, Streamable HTTP without sessions, one message a request. Every tool is an operation of this API: it needs the same permission and plan, and fails in the same way, as a result with `isError`.
   *
   * Any valid key or session.
   */
  callMcp: { input: CallMcpInput; output: CallMcpResult }
  /**
   * List the console's pages.
   *
   * Lists what the menu of the console shows to the caller in a workspace: pages of parts that are switched on, that the plan has and that the caller may use, in their order.
   *
   * Any valid key or session.
   */
  getConsoleMenu: { input: GetConsoleMenuInput; output: GetConsoleMenuResult }
  /**
   * Sign in to the console.
   *
   * Sets the HttpOnly cookie of a session of seven days. An account has at most 100 sessions: the oldest ends with the next. Five wrong passwords for one account from one address within 15 minutes lock that account for that address, for the rest of that time: 429. Fifty from one address over all accounts lock the address for accounts that were not signed in to from it within 30 days.
   *
   * Open to anyone.
   */
  signIn: { input: SignInInput; output: SignInResult }
  /**
   * Sign out.
   *
   * Ends the session of the cookie and takes the cookie back. Without a session nothing happens.
   *
   * Open to anyone.
   */
  signOut: { input: Record<never, never>; output: SignOutResult }
  /**
   * Read the own session.
   *
   * null without a session. One of seven days that is more than a day old is extended to seven days again, and the cookie with it; no other request prolongs a session.
   *
   * Open to anyone.
   */
  getSession: { input: Record<never, never>; output: GetSessionResult | null }
  /**
   * List the open sessions of the account.
   *
   * For a signed-in account only.
   */
  listSessions: { input: Record<never, never>; output: ListedSession[] }
  /**
   * End a session of the account.
   *
   * A token that is not of a session of the account is ignored.
   *
   * For a signed-in account only.
   */
  revokeSession: { input: RevokeSessionInput; output: Done }
  /**
   * End all sessions of the account.
   *
   * For a signed-in account only.
   */
  revokeAllSessions: { input: Record<never, never>; output: Done }
  /**
   * End all sessions of the account but this one.
   *
   * For a signed-in account only.
   */
  revokeOtherSessions: { input: Record<never, never>; output: Done }
  /**
   * Change the account's password.
   *
   * A wrong `currentPassword` is 400. With `revokeOtherSessions` a new session replaces this one, in the cookie.
   *
   * For a signed-in account only.
   */
  changePassword: { input: ChangePasswordInput; output: ChangePasswordResult }
  /**
   * Tell how accounts sign in.
   *
   * Open to anyone.
   */
  listSignInMethods: { input: Record<never, never>; output: ListSignInMethodsResult }
  /**
   * Sign in by the provider.
   *
   * Redirects a browser to the provider of `OIDC_ISSUER`, which sends it back to the console.
   *
   * Open to anyone.
   */
  signInByProvider: { input: Record<never, never>; output: void }
  /**
   * Come back from the provider.
   *
   * The provider sends browsers to here. It redirects to the console, signed in, or with the reason in `?error=`.
   *
   * Open to anyone.
   */
  returnFromProvider: { input: Record<never, never>; output: void }
  /**
   * Liveness: the process responds.
   *
   * Touches nothing else, so a restart is only ever triggered by a hung process.
   *
   * Open to anyone.
   */
  getHealth: { input: Record<never, never>; output: GetHealthResult }
  /**
   * Readiness: everything a request needs.
   *
   * Names each part with `ok`, `degraded` (it serves, with less) or `failed`; 503 when any failed, or when the process stops. `details` says more of some.
   *
   * Open to anyone.
   */
  getReadiness: { input: GetReadinessInput; output: Readiness }
  /**
   * Metrics for Prometheus.
   *
   * With `METRICS_TOKEN` set, requires `Authorization: Bearer <token>`.
   *
   * Open to anyone.
   */
  getMetrics: { input: Record<never, never>; output: string }
  /**
   * This API as an OpenAPI 3.1 document.
   *
   * Open to anyone.
   */
  getOpenApi: { input: Record<never, never>; output: GetOpenApiResult }
  /**
   * API reference page.
   *
   * Open to anyone.
   */
  getDocs: { input: Record<never, never>; output: string }
  /**
   * Files of the API reference page.
   *
   * Open to anyone.
   */
  getDocsFile: { input: GetDocsFileInput; output: Response }
}

export const ROUTES: Readonly<Record<keyof Operations, string>> = {
  listWorkspaces: 'GET /v1/workspaces{?page,page_size}',
  createWorkspace: 'POST /v1/workspaces',
  getWorkspace: 'GET /v1/workspaces/{id}',
  updateWorkspace: 'PATCH /v1/workspaces/{id}',
  deleteWorkspace: 'DELETE /v1/workspaces/{id}{!X-Confirm-Password}',
  listApiKeys: 'GET /v1/api-keys{?page,page_size,workspace_id}',
  createApiKey: 'POST /v1/api-keys{?workspace_id}',
  listPermissions: 'GET /v1/api-keys/permissions',
  updateApiKey: 'PATCH /v1/api-keys/{id}',
  revokeApiKey: 'DELETE /v1/api-keys/{id}{?workspace_id}',
  rotateApiKey: 'POST /v1/api-keys/{id}/rotate{?workspace_id}',
  listMembers: 'GET /v1/members{?page,page_size,workspace_id}',
  inviteMember: 'POST /v1/members{?workspace_id}',
  acceptInvitation: 'POST /v1/members/accept',
  updateMember: 'PATCH /v1/members/{id}{?workspace_id}',
  removeMember: 'DELETE /v1/members/{id}{?workspace_id}',
  createToken: 'POST /v1/tokens{?workspace_id}',
  createMemory: 'POST /v1/memories{?workspace_id}',
  listMemories: 'GET /v1/memories{?search,user_id,agent_id,session_id,priority,priorities,categories,created_after,created_before,filter,mode,expand,explain,min_score,timezone,page,page_size,status,entity_id,entity_name,relationship_id,workspace_id}',
  deleteMemories: 'DELETE /v1/memories{?user_id,agent_id,session_id,workspace_id}{!X-Confirm-Password}',
  createMemoryBatch: 'POST /v1/memories/batch{?workspace_id}',
  listUsersAndAgents: 'GET /v1/memories/entities{?workspace_id}',
  listCategories: 'GET /v1/memories/categories{?workspace_id}',
  getProfile: 'GET /v1/memories/profile/{workspaceId}/{userId}{?shape}',
  getMemory: 'GET /v1/memories/{id}{?workspace_id}',
  updateMemory: 'PUT /v1/memories/{id}{?workspace_id}',
  deleteMemory: 'DELETE /v1/memories/{id}{?workspace_id}',
  promoteMemory: 'POST /v1/memories/{id}/promote{?workspace_id}',
  reprocessMemories: 'POST /v1/memories/reprocess{?workspace_id}',
  reprocessMemory: 'POST /v1/memories/{id}/reprocess{?workspace_id}',
  restoreMemory: 'POST /v1/memories/{id}/restore{?workspace_id}',
  giveFeedback: 'POST /v1/memories/{id}/feedback{?workspace_id}',
  listMemoryHistory: 'GET /v1/memories/{id}/history{?page,page_size,workspace_id}',
  listUsers: 'GET /v1/users{?q,page,page_size,workspace_id}',
  deleteNamedUser: 'DELETE /v1/users{?user_id,workspace_id}',
  deleteUser: 'DELETE /v1/users/{user_id}{?workspace_id}',
  getErasure: 'GET /v1/users/erasures/{id}{?workspace_id}',
  searchMemoriesByQuery: 'GET /v1/memories/search{?query,user_id,agent_id,session_id,priority,priorities,categories,created_after,created_before,min_score,timezone,limit,mode,expand,explain,page,page_size,status,entity_id,entity_name,relationship_id,workspace_id}',
  searchMemories: 'POST /v1/memories/search{?workspace_id}',
  explainSearch: 'POST /v1/memories/search/why{?workspace_id}',
  getSearchBalance: 'GET /v1/search/balance{?workspace_id}',
  resetSearchBalance: 'DELETE /v1/search/balance{?workspace_id}',
  listEntities: 'GET /v1/graph/entities{?user_id,type,as_of,page,page_size,workspace_id}',
  getEntity: 'GET /v1/graph/entities/{id}{?workspace_id}',
  listRelationships: 'GET /v1/graph/entities/{id}/relationships{?as_of,include_history,workspace_id}',
  searchEntities: 'GET /v1/graph/search{?query,user_id,type,limit,workspace_id}',
  traverseGraph: 'GET /v1/graph/traverse{?from,depth,relationship_type,entity_type,limit,as_of,include_history,workspace_id}',
  getGraphOverview: 'GET /v1/graph/overview{?user_id,entity_type,relationship_type,min_weight,as_of,include_history,limit,edges_limit,workspace_id}',
  askGraph: 'POST /v1/graph/query{?workspace_id}',
  listKnowledge: 'GET /v1/knowledge{?user_id,category,search,merged,page,page_size,workspace_id}',
  compileKnowledge: 'POST /v1/knowledge/compile{?workspace_id}',
  getKnowledge: 'GET /v1/knowledge/{id}{?workspace_id}',
  updateKnowledge: 'PUT /v1/knowledge/{id}{?workspace_id}',
  deleteKnowledge: 'DELETE /v1/knowledge/{id}{?workspace_id}',
  listKnowledgeVersions: 'GET /v1/knowledge/{id}/versions{?page,page_size,workspace_id}',
  restoreKnowledgeVersion: 'POST /v1/knowledge/{id}/versions/{version}/restore{?workspace_id}',
  setProfileSchema: 'PUT /v1/profiles/schema{?workspace_id}',
  getProfileSchema: 'GET /v1/profiles/schema{?workspace_id}',
  deleteProfileSchema: 'DELETE /v1/profiles/schema{?workspace_id}',
  assembleContext: 'POST /v1/context{?workspace_id}',
  createConversation: 'POST /v1/memories/conversations{?dry_run,workspace_id}',
  getConversation: 'GET /v1/memories/conversations/{id}{?workspace_id}',
  reprocessConversation: 'POST /v1/memories/conversations/{id}/reprocess{?workspace_id}',
  createExport: 'POST /v1/exports{?workspace_id}',
  listExports: 'GET /v1/exports{?page,page_size,workspace_id}',
  getExport: 'GET /v1/exports/{id}{?workspace_id}',
  deleteExport: 'DELETE /v1/exports/{id}{?workspace_id}',
  downloadExport: 'GET /v1/exports/{id}/download{?workspace_id} bytes',
  createImport: 'POST /v1/imports{?workspace_id} form',
  listImports: 'GET /v1/imports{?page,page_size,workspace_id}',
  getImport: 'GET /v1/imports/{id}{?workspace_id}',
  ingestDocument: 'POST /v1/memories/ingest{?workspace_id} form',
  listIngestJobs: 'GET /v1/ingest-jobs{?page,page_size,status,user_id,workspace_id}',
  getIngestJob: 'GET /v1/ingest-jobs/{id}{?workspace_id}',
  deleteIngestJob: 'DELETE /v1/ingest-jobs/{id}{?memories,workspace_id}',
  listIngestJobMemories: 'GET /v1/ingest-jobs/{id}/memories{?page,page_size,workspace_id}',
  cancelIngestJob: 'POST /v1/ingest-jobs/{id}/cancel{?workspace_id}',
  listTemplates: 'GET /v1/templates{?page,page_size,workspace_id}',
  createTemplate: 'POST /v1/templates{?workspace_id}',
  listBuiltInTemplates: 'GET /v1/templates/built-in{?page,page_size,workspace_id}',
  copyBuiltInTemplate: 'POST /v1/templates/built-in/{key}/copy{?workspace_id}',
  getTemplate: 'GET /v1/templates/{id}{?workspace_id}',
  updateTemplate: 'PATCH /v1/templates/{id}{?workspace_id}',
  deleteTemplate: 'DELETE /v1/templates/{id}{?workspace_id}',
  previewTemplate: 'POST /v1/templates/{id}/preview{?workspace_id}',
  applyTemplate: 'POST /v1/templates/{id}/apply{?workspace_id}',
  createWebhook: 'POST /v1/webhooks{?workspace_id}',
  listWebhooks: 'GET /v1/webhooks{?page,page_size,workspace_id}',
  listEventKinds: 'GET /v1/webhooks/events{?page,page_size,workspace_id}',
  getWebhook: 'GET /v1/webhooks/{id}{?workspace_id}',
  updateWebhook: 'PATCH /v1/webhooks/{id}{?workspace_id}',
  deleteWebhook: 'DELETE /v1/webhooks/{id}{?workspace_id}',
  rotateWebhookSecret: 'POST /v1/webhooks/{id}/rotate-secret{?workspace_id}',
  testWebhook: 'POST /v1/webhooks/{id}/test{?workspace_id}',
  listDeliveries: 'GET /v1/webhooks/{id}/deliveries{?status,event,page,page_size,workspace_id}',
  redeliverDelivery: 'POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver{?workspace_id}',
  redeliverFailedDeliveries: 'POST /v1/webhooks/{id}/redeliver{?workspace_id}',
  getConnectionRequest: 'GET /v1/connections/request{?client_id,redirect_uri,response_type,code_challenge,code_challenge_method,scope,state,resource,workspace_id}',
  listConnections: 'GET /v1/connections{?page,page_size,workspace_id}',
  createConnection: 'POST /v1/connections{?workspace_id}',
  removeConnection: 'DELETE /v1/connections/{id}{?workspace_id}',
  getDashboardSummary: 'GET /v1/dashboard/summary{?days,start_date,end_date,timezone,workspace_id}',
  listActivity: 'GET /v1/dashboard/activity{?days,start_date,end_date,timezone,event_type,user_id,limit,page,workspace_id}',
  getMemoryChart: 'GET /v1/dashboard/charts/memories{?days,start_date,end_date,timezone,granularity,workspace_id}',
  getRequestChart: 'GET /v1/dashboard/charts/requests{?days,start_date,end_date,timezone,granularity,workspace_id}',
  getTokenChart: 'GET /v1/dashboard/charts/tokens{?days,start_date,end_date,timezone,granularity,workspace_id}',
  getSearchQuality: 'GET /v1/dashboard/quality{?days,start_date,end_date,timezone,workspace_id}',
  getCategoryShares: 'GET /v1/dashboard/categories{?days,start_date,end_date,timezone,workspace_id}',
  listTopQueries: 'GET /v1/dashboard/top-queries{?days,start_date,end_date,timezone,limit,workspace_id}',
  listAlerts: 'GET /v1/dashboard/alerts{?days,start_date,end_date,timezone,workspace_id}',
  diagnoseSearches: 'GET /v1/dashboard/search-diagnosis{?days,start_date,end_date,timezone,limit,workspace_id}',
  getBacklog: 'GET /v1/dashboard/backlog{?workspace_id}',
  callMcp: 'POST /v1/mcp{?user_id,workspace_id}',
  getConsoleMenu: 'GET /v1/console/menu{?workspace_id}',
  signIn: 'POST /v1/auth/sign-in/email',
  signOut: 'POST /v1/auth/sign-out',
  getSession: 'GET /v1/auth/get-session',
  listSessions: 'GET /v1/auth/list-sessions',
  revokeSession: 'POST /v1/auth/revoke-session',
  revokeAllSessions: 'POST /v1/auth/revoke-sessions',
  revokeOtherSessions: 'POST /v1/auth/revoke-other-sessions',
  changePassword: 'POST /v1/auth/change-password',
  listSignInMethods: 'GET /v1/auth/methods',
  signInByProvider: 'GET /v1/auth/sign-in/oidc',
  returnFromProvider: 'GET /v1/auth/callback/oidc',
  getHealth: 'GET /health',
  getReadiness: 'GET /ready{?checks}',
  getMetrics: 'GET /metrics',
  getOpenApi: 'GET /openapi.json',
  getDocs: 'GET /docs',
  getDocsFile: 'GET /docs/{file} bytes',
}

export interface MemoriesVerbs {
  /**
   * Create a memory.
   *
   * Stores a text and queues it for processing. Keyword searches find it at once, searches by meaning when its status is COMPLETED.
   *
   * Permission: `memory.write`.
   */
  create(memory: string, input?: Omit<CreateMemoryInput, 'memory'>, options?: RequestOptions): Promise<StoredMemory>
  /**
   * Create up to 500 memories.
   *
   * Results come in the order sent, and a bad item does not fail the others. Good items are stored in short transactions. After a 503, or where the client goes away before the response, items that were stored stay stored, and the rest is not: the same request with the same `Idempotency-Key` completes the batch and responds with the result of every item.
   *
   * Permission: `memory.write`.
   */
  createMany(memories: NewMemory[], input?: Omit<CreateMemoryBatchInput, 'memories'>, options?: RequestOptions): Promise<CreateMemoryBatchResult>
  /**
   * List or search memories.
   *
   * Without `search`: newest first. With it: best first, with the same filters.
   *
   * Permission: `memory.read`.
   */
  list(input?: ListMemoriesInput, options?: RequestOptions): Pages<MemoryPage>
  /**
   * Get one memory.
   *
   * All fields, with access counts and feedback. Consolidated memories stay readable here and name their survivor.
   *
   * Permission: `memory.read`.
   */
  get(id: string, input?: Omit<GetMemoryInput, 'id'>, options?: RequestOptions): Promise<Memory>
  /**
   * Update a memory.
   *
   * Replaces the text and, where given, priority, categories and metadata; omitted fields stay. The memory is processed again even if nothing changed.
   *
   * Permission: `memory.write`.
   */
  update(id: string, input: Omit<UpdateMemoryInput, 'id'>, options?: RequestOptions): Promise<StoredMemory>
  /**
   * Delete a memory.
   *
   * Permanently deletes text, history, index entries, and the memories it absorbed.
   *
   * Permission: `memory.delete`.
   */
  delete(id: string, input?: Omit<DeleteMemoryInput, 'id'>, options?: RequestOptions): Promise<void>
  /**
   * Delete all memories.
   *
   * Permanently deletes the memories of the workspace, a user, an agent or a session (of all that are given together) in one transaction, with conversations, documents and imports that are still being processed. Needs the account password in `X-Confirm-Password`.
   *
   * Permission: `memory.delete`.
   */
  deleteAll(input: DeleteMemoriesInput, options?: RequestOptions): Promise<void>
  /**
   * List a memory's history.
   *
   * Every version of its text, and what was merged into it, oldest first.
   *
   * Permission: `memory.read`.
   */
  history(id: string, input?: Omit<ListMemoryHistoryInput, 'id'>, options?: RequestOptions): Pages<MemoryEventPage>
  /**
   * Make a TASK memory permanent.
   *
   * Removes its expiry and processes it again.
   *
   * Permission: `memory.write`.
   */
  promote(id: string, input?: Omit<PromoteMemoryInput, 'id'>, options?: RequestOptions): Promise<Message>
  /**
   * Restore a consolidated memory.
   *
   * Restores a memory that was merged into another exactly as it was, processes it again and excludes it from later merges. The survivor loses what it gained from this memory alone.
   *
   * Permission: `memory.write`.
   */
  restore(id: string, input?: Omit<RestoreMemoryInput, 'id'>, options?: RequestOptions): Promise<StoredMemory>
  /**
   * Process a memory again.
   *
   * Queues it without changing it, for example after its processing failed.
   *
   * Permission: `memory.write`.
   */
  reprocess(id: string, input?: Omit<ReprocessMemoryInput, 'id'>, options?: RequestOptions): Promise<Message>
  /**
   * Process all failed memories again.
   *
   * Queues every memory that is FAILED, or with `user_id` those of one user, piece by piece in the background, without changing it: for example after the cause of the failures is mended.
   *
   * Permission: `memory.write`.
   */
  reprocessMany(input?: ReprocessMemoriesInput, options?: RequestOptions): Promise<Message>
  /**
   * Give feedback on a memory.
   *
   * With the `query_hash` of a search response, the ranking of that query learns from the signal.
   *
   * Permission: `memory.write`.
   */
  feedback(id: string, signal: 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL', input?: Omit<GiveFeedbackInput, 'id' | 'signal'>, options?: RequestOptions): Promise<void>
  /**
   * List categories.
   *
   * Every category of the workspace's memories once, sorted; the first 10,000.
   *
   * Permission: `memory.read`.
   */
  categories(input?: ListCategoriesInput, options?: RequestOptions): Promise<ListCategoriesResult>
  /**
   * List users and agents.
   *
   * Users and agents with the number of their memories: users first, then agents, each with most memories first; the 10,000 largest of each.
   *
   * Permission: `memory.read`.
   */
  usersAndAgents(input?: ListUsersAndAgentsInput, options?: RequestOptions): Promise<UserOrAgent[]>
}

export interface UsersVerbs {
  /**
   * List users.
   *
   * Users with memories, by their ids: how many, and when the first and the last of these were created.
   *
   * Permission: `memory.read`.
   */
  list(input?: ListUsersInput, options?: RequestOptions): Pages<UserPage>
  /**
   * Erase a user by query.
   *
   * The same as `DELETE /v1/users/:user_id`, for ids that cannot stand in a path: `.` and `..`.
   *
   * Permission: `user.delete`.
   */
  delete(user_id: string, input?: Omit<DeleteNamedUserInput, 'user_id'>, options?: RequestOptions): Promise<Erasure>
  /**
   * Get the erasure of a user.
   *
   * Its status and, once it has ended, the receipt: how many rows of which tables were removed. It no longer tells whose they were.
   *
   * Permission: `user.delete`.
   */
  erasure(id: string, input?: Omit<GetErasureInput, 'id'>, options?: RequestOptions): Promise<Erasure>
}

export interface SearchesVerbs {
  /**
   * Search memories with filters on metadata.
   *
   * Best first. `limit` appears as `page_size` in the response; pages do not overlap.
   *
   * Permission: `memory.read`.
   */
  run(query: string, input?: Omit<SearchMemoriesInput, 'query'>, options?: RequestOptions): Pages<FoundMemoryPage>
  /**
   * Explain why a memory is, or is not, among the results of a search.
   *
   * Runs the search and looks for one memory: its rank and what its score was made of, or every reason that keeps it out.
   *
   * Permission: `memory.read`.
   */
  explain(input: ExplainSearchInput, options?: RequestOptions): Promise<ExplainSearchResult>
  /**
   * Get the ranking balance.
   *
   * How much recency and priority move results against their relevance. Learned from feedback that names a `query_hash`, and kept only when it orders queries better that it was not learned from.
   *
   * Permission: `dashboard.read`.
   */
  balance(input?: GetSearchBalanceInput, options?: RequestOptions): Promise<GetSearchBalanceResult>
  /**
   * Reset the ranking balance.
   *
   * Results are weighed by the default again. Feedback given so far still moves results for its queries; the balance is learned again from future feedback.
   *
   * Permission: `workspace.write`.
   */
  resetBalance(input?: ResetSearchBalanceInput, options?: RequestOptions): Promise<void>
}

export interface GraphVerbs {
  /**
   * Ask the graph.
   *
   * Answers a question from relationships and the memories they rest on, in English, German, Spanish or French. What has ended is stated as past; what is not known is stated as unknown.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  ask(query: string, input?: Omit<AskGraphInput, 'query'>, options?: RequestOptions): Promise<AskGraphResult>
  /**
   * List entities.
   *
   * The people, organizations, places and things that memories name, newest first.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  entities(input?: ListEntitiesInput, options?: RequestOptions): Pages<ListedEntityPage>
  /**
   * Get one entity.
   *
   * With the numbers of its relationships that hold and of the visible memories that name it, both counted now.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  entity(id: string, input?: Omit<GetEntityInput, 'id'>, options?: RequestOptions): Promise<Entity>
  /**
   * List an entity's relationships.
   *
   * A relationship that is the same from either end (`MARRIED_TO`, `KNOWS`, `COLLABORATES_WITH`, `RELATED_TO`) is shown once, as outgoing.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  relationships(id: string, input?: Omit<ListRelationshipsInput, 'id'>, options?: RequestOptions): Promise<ListRelationshipsResult>
  /**
   * Search entities.
   *
   * By meaning of name and description, and by name: an exact name or alias scores 1. Names are found at once, meaning a moment later.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  search(query: string, input?: Omit<SearchEntitiesInput, 'query'>, options?: RequestOptions): Promise<FoundEntity[]>
  /**
   * Walk the graph.
   *
   * Follows relationships both ways from one entity, the nearest and among these the strongest first; `source` and `target` keep their direction.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  traverse(from: string, input?: Omit<TraverseGraphInput, 'from'>, options?: RequestOptions): Promise<TraverseGraphResult>
}

export interface KnowledgeVerbs {
  /**
   * List or merge knowledge.
   *
   * Entries newest first, or with `merged` one profile: the contents of all matching entries, by user and by category. A profile of more than 1,000 entries or 5 million characters is refused; name a `user_id` then.
   *
   * Permission: `knowledge.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  list(input?: ListKnowledgeInput, options?: RequestOptions): Pages<KnowledgeEntryPage>
  /**
   * List or merge knowledge.
   *
   * Entries newest first, or with `merged` one profile: the contents of all matching entries, by user and by category. A profile of more than 1,000 entries or 5 million characters is refused; name a `user_id` then.
   *
   * Permission: `knowledge.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  merged(input?: Omit<ListKnowledgeInput, 'merged'>, options?: RequestOptions): Promise<MergedProfile>
  /**
   * Get a knowledge entry.
   *
   * Permission: `knowledge.read`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  get(id: string, input?: Omit<GetKnowledgeInput, 'id'>, options?: RequestOptions): Promise<KnowledgeEntry>
  /**
   * Edit a knowledge entry by hand.
   *
   * Send the whole content as it should be. Compiled lines that are kept stay compiled; those left out or changed stay out while their memories say the same; everything else is written by hand and survives compilations. Send the `version` that you read, so that nothing is changed when there is a newer one; without it, lines that came since you last read it stay, and those that went since stay away. A line with a source comment is removed when the memories that it names are deleted or expire; of a merged memory it names the survivor from then on, and ids that no memory has are taken out of the comment.
   *
   * Permission: `knowledge.write`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  update(id: string, input: Omit<UpdateKnowledgeInput, 'id'>, options?: RequestOptions): Promise<KnowledgeEntry>
  /**
   * Delete a knowledge entry.
   *
   * Deletes the entry with what was written by hand. The memories stay, so the entry is created again once its statements change or it is compiled.
   *
   * Permission: `knowledge.delete`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  delete(id: string, input?: Omit<DeleteKnowledgeInput, 'id'>, options?: RequestOptions): Promise<void>
  /**
   * Compile knowledge now.
   *
   * Compiles at once instead of waiting for a pause in changes. Restores entries that were deleted; changes nothing where nothing is different.
   *
   * Permission: `knowledge.write`.
   *
   * Needs the plan feature `hasKnowledgeGraph`.
   */
  compile(input: CompileKnowledgeInput, options?: RequestOptions): Promise<CompileKnowledgeResult>
}

export interface ConversationsVerbs {
  /**
   * Make memories of a conversation.
   *
   * Draws the facts worth keeping from what the user says in a conversation, and what the assistant did for the user, in the background, and stores each as a memory. The same request sent again within 24 hours is the same conversation, and one that failed is tried again. The response never lists memories: see the conversation for them. With `dry_run=true` the conversation is read at once, the response lists what would be stored, and nothing is.
   *
   * Permission: `memory.write`.
   */
  create(messages: CreateConversationMessage[], input?: Omit<CreateConversationInput, 'messages'>, options?: RequestOptions): Promise<ConversationRehearsal | Conversation>
  /**
   * See what came of a conversation.
   *
   * Its status and, once it is COMPLETED or FAILED, the ids of its memories. Deleted memories leave the list.
   *
   * Permission: `memory.read`.
   */
  get(id: string, input?: Omit<GetConversationInput, 'id'>, options?: RequestOptions): Promise<Conversation>
  /**
   * Try a conversation again that failed.
   *
   * Goes on where it failed, with the messages that were submitted: they are kept for seven days. A conversation that did not fail is left as it is.
   *
   * Permission: `memory.write`.
   */
  reprocess(id: string, input?: Omit<ReprocessConversationInput, 'id'>, options?: RequestOptions): Promise<Conversation>
}

export interface ExportsVerbs {
  /**
   * Export a workspace.
   *
   * Writes a file in the background, which can be downloaded for 7 days. A memory that is deleted meanwhile is removed from the file; while the file is rewritten, downloads respond with 409 `EXPORT_NOT_READY`. A workspace keeps at most 200, and makes no more while they, and what is written of others, have 20 GB together: `RATE_LIMITED` until one is deleted or expires.
   *
   * Permission: `export.write`.
   *
   * Needs the plan feature `exports`.
   */
  create(input: CreateExportInput, options?: RequestOptions): Promise<Export>
  /**
   * List exports.
   *
   * The newest first.
   *
   * Permission: `export.read`.
   *
   * Needs the plan feature `exports`.
   */
  list(input?: ListExportsInput, options?: RequestOptions): Pages<ExportPage>
  /**
   * Get an export.
   *
   * Permission: `export.read`.
   *
   * Needs the plan feature `exports`.
   */
  get(id: string, input?: Omit<GetExportInput, 'id'>, options?: RequestOptions): Promise<Export>
  /**
   * Delete an export.
   *
   * Deletes the export with its file, and stops one that is being written. A download under way breaks off.
   *
   * Permission: `export.write`.
   *
   * Needs the plan feature `exports`.
   */
  delete(id: string, input?: Omit<DeleteExportInput, 'id'>, options?: RequestOptions): Promise<void>
  /**
   * Download an export.
   *
   * The file, with `ETag` and `Range`, so that an interrupted download can be resumed.
   *
   * Permission: `export.read`.
   *
   * Needs the plan feature `exports`.
   */
  download(id: string, input?: Omit<DownloadExportInput, 'id'>, options?: RequestOptions): Promise<Response>
}

export interface ImportsVerbs {
  /**
   * Import a file.
   *
   * Takes a JSONL export of this service, with ids, times and history; exports of mem0, Zep, Hindsight, Supermemory and Letta in JSON; and lines of JSON with a `text`. Memories whose id or text the workspace already has are skipped and counted. It is COMPLETED when all of them can be searched. At most ten imports of a workspace wait; `RATE_LIMITED` beyond.
   *
   * Permission: `export.write`.
   *
   * Needs the plan feature `exports`.
   */
  create(file: Blob, input?: Omit<CreateImportInput, 'file'>, options?: RequestOptions): Promise<Import>
  /**
   * List imports.
   *
   * The newest first.
   *
   * Permission: `export.read`.
   *
   * Needs the plan feature `exports`.
   */
  list(input?: ListImportsInput, options?: RequestOptions): Pages<ImportPage>
  /**
   * Get an import.
   *
   * Permission: `export.read`.
   *
   * Needs the plan feature `exports`.
   */
  get(id: string, input?: Omit<GetImportInput, 'id'>, options?: RequestOptions): Promise<Import>
}

export interface DocumentsVerbs {
  /**
   * Make memories of a file or a page.
   *
   * Takes a file, or the address of a public page, and makes memories of its parts in the background. Poll the job until it is COMPLETED, when all of them are searchable, or FAILED, when `error` says why.
   *
   * Permission: `ingest.write`.
   *
   * Needs the plan feature `ingest`.
   */
  ingest(input?: IngestDocumentInput, options?: RequestOptions): Promise<IngestJob>
  /**
   * List ingest jobs.
   *
   * Newest first.
   *
   * Permission: `ingest.read`.
   *
   * Needs the plan feature `ingest`.
   */
  list(input?: ListIngestJobsInput, options?: RequestOptions): Pages<IngestJobPage>
  /**
   * See how far an ingest job is.
   *
   * Its status, its progress, and the reason if it failed.
   *
   * Permission: `ingest.read`.
   *
   * Needs the plan feature `ingest`.
   */
  get(id: string, input?: Omit<GetIngestJobInput, 'id'>, options?: RequestOptions): Promise<IngestJob>
  /**
   * Cancel an ingest job.
   *
   * The job ends as FAILED with the error_code CANCELLED, at once or after its current step. Memories made by then are kept. A newer version of a document that has begun to replace the older one is stored completely first.
   *
   * Permission: `ingest.write`.
   *
   * Needs the plan feature `ingest`.
   */
  cancel(id: string, input?: Omit<CancelIngestJobInput, 'id'>, options?: RequestOptions): Promise<IngestJob>
  /**
   * Delete an ingest job.
   *
   * A running job is cancelled first. Its memories stay, unless `memories` is true: then they are deleted for good, which needs memory.delete, but for those whose text another document of the user has too: they become that one's. Once a newer version has begun to take over the memories of the older one, and until it has, both respond with 409 `INGEST_JOB_REPLACING`.
   *
   * Permission: `ingest.write`.
   *
   * Needs the plan feature `ingest`.
   */
  delete(id: string, input?: Omit<DeleteIngestJobInput, 'id'>, options?: RequestOptions): Promise<void>
  /**
   * List the memories of a document.
   *
   * In the order of the document. Deleted memories leave the list. Needs memory.read, as every list of memories.
   *
   * Permission: `memory.read`.
   *
   * Needs the plan feature `ingest`.
   */
  memories(id: string, input?: Omit<ListIngestJobMemoriesInput, 'id'>, options?: RequestOptions): Pages<ListedMemoryPage>
}

export interface TemplatesVerbs {
  /**
   * Create a template.
   *
   * A list of memories with `{{variable}}` in their texts, categories and the strings of their metadata. Every placeholder must be among the variables.
   *
   * Permission: `template.write`.
   *
   * Needs the plan feature `templates`.
   */
  create(input: CreateTemplateInput, options?: RequestOptions): Promise<Template>
  /**
   * List templates.
   *
   * Newest first. Built-in templates are listed by `GET /v1/templates/built-in`.
   *
   * Permission: `template.read`.
   *
   * Needs the plan feature `templates`.
   */
  list(input?: ListTemplatesInput, options?: RequestOptions): Pages<TemplatePage>
  /**
   * Get a template.
   *
   * Permission: `template.read`.
   *
   * Needs the plan feature `templates`.
   */
  get(id: string, input?: Omit<GetTemplateInput, 'id'>, options?: RequestOptions): Promise<Template>
  /**
   * Change a template.
   *
   * Changes the given fields; lists are replaced. Memories that were made from it stay as they are.
   *
   * Permission: `template.write`.
   *
   * Needs the plan feature `templates`.
   */
  update(id: string, input?: Omit<UpdateTemplateInput, 'id'>, options?: RequestOptions): Promise<Template>
  /**
   * Delete a template.
   *
   * Memories that were made of it stay.
   *
   * Permission: `template.delete`.
   *
   * Needs the plan feature `templates`.
   */
  delete(id: string, input?: Omit<DeleteTemplateInput, 'id'>, options?: RequestOptions): Promise<void>
  /**
   * Preview a template.
   *
   * Shows the memories that applying the template with these values would store. Nothing is stored.
   *
   * Permission: `template.read`.
   *
   * Needs the plan feature `templates`.
   */
  preview(id: string, input?: Omit<PreviewTemplateInput, 'id'>, options?: RequestOptions): Promise<PreviewTemplateResult>
  /**
   * Apply a template.
   *
   * Stores the memories of the template with the given values, all together or none. Memories whose text the user already has are skipped and counted; where the workspace holds each text once, that of another user is stored with the user’s id before it.
   *
   * Permission: `template.write`.
   *
   * Needs the plan feature `templates`.
   */
  apply(id: string, input?: Omit<ApplyTemplateInput, 'id'>, options?: RequestOptions): Promise<ApplyTemplateResult>
  /**
   * List built-in templates.
   *
   * Built-in templates. Copy one to apply or change it.
   *
   * Permission: `template.read`.
   *
   * Needs the plan feature `templates`.
   */
  builtIn(input?: ListBuiltInTemplatesInput, options?: RequestOptions): Pages<BuiltInTemplatePage>
  /**
   * Copy a built-in template.
   *
   * Copies a built-in template into the workspace.
   *
   * Permission: `template.write`.
   *
   * Needs the plan feature `templates`.
   */
  copyBuiltIn(key: string, input?: Omit<CopyBuiltInTemplateInput, 'key'>, options?: RequestOptions): Promise<Template>
}

export interface WebhooksVerbs {
  /**
   * Create a webhook.
   *
   * Sends events of the workspace to a URL as signed JSON. The `secret` to verify the signature with is shown in this response alone. Attempts without a 2xx response within 10 seconds are repeated after about 1 minute, 10 minutes, 1 hour and 6 hours.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  create(input: CreateWebhookInput, options?: RequestOptions): Promise<WebhookWithSecret>
  /**
   * List webhooks.
   *
   * Newest first.
   *
   * Permission: `webhook.read`.
   *
   * Needs the plan feature `webhooks`.
   */
  list(input?: ListWebhooksInput, options?: RequestOptions): Pages<WebhookPage>
  /**
   * Get a webhook.
   *
   * Permission: `webhook.read`.
   *
   * Needs the plan feature `webhooks`.
   */
  get(id: string, input?: Omit<GetWebhookInput, 'id'>, options?: RequestOptions): Promise<Webhook>
  /**
   * Change or pause a webhook.
   *
   * Changes the given fields. Waiting deliveries are sent to the new URL.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  update(id: string, input?: Omit<UpdateWebhookInput, 'id'>, options?: RequestOptions): Promise<Webhook>
  /**
   * Delete a webhook.
   *
   * Deletes the webhook with its deliveries; waiting ones are not sent.
   *
   * Permission: `webhook.delete`.
   *
   * Needs the plan feature `webhooks`.
   */
  delete(id: string, input?: Omit<DeleteWebhookInput, 'id'>, options?: RequestOptions): Promise<void>
  /**
   * Rotate the signing secret.
   *
   * The new `secret` is shown in this response alone. For 24 hours `webhook-signature` holds a signature with the former one too, also after further rotations, up to three; `X-Webhook-Signature` uses the new one at once.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  rotateSecret(id: string, input?: Omit<RotateWebhookSecretInput, 'id'>, options?: RequestOptions): Promise<WebhookWithSecret>
  /**
   * Send a test delivery.
   *
   * Sends an event `webhook.test` at once, to a paused webhook too, and responds with its delivery when the receiver has responded, after at most 20 seconds. It is attempted once. A success says that the webhook works again. Two at once in a workspace; `RATE_LIMITED` beyond. `SERVICE_UNAVAILABLE` while the tests of others take all places there are, of which a host has two.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  test(id: string, input?: Omit<TestWebhookInput, 'id'>, options?: RequestOptions): Promise<Delivery>
  /**
   * List deliveries.
   *
   * Newest first, with the result of the last attempt of each. They are kept for 30 days. With `event`, or `status=SUCCEEDED`, the newest 100,000 are looked at.
   *
   * Permission: `webhook.read`.
   *
   * Needs the plan feature `webhooks`.
   */
  deliveries(id: string, input?: Omit<ListDeliveriesInput, 'id'>, options?: RequestOptions): Pages<DeliveryPage>
  /**
   * Send a delivery again.
   *
   * In any state: a waiting delivery is attempted now, one that has ended begins another round of attempts. Receivers get the same `webhook-id` and the same body.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  redeliver(id: string, delivery_id: string, input?: Omit<RedeliverDeliveryInput, 'id' | 'delivery_id'>, options?: RequestOptions): Promise<Delivery>
  /**
   * Send all failed deliveries again.
   *
   * Failed deliveries of events since an instant, oldest first, each with another round of attempts; tests are left out.
   *
   * Permission: `webhook.write`.
   *
   * Needs the plan feature `webhooks`.
   */
  redeliverFailed(id: string, input: Omit<RedeliverFailedDeliveriesInput, 'id'>, options?: RequestOptions): Promise<RedeliverFailedDeliveriesResult>
  /**
   * List the kinds of events.
   *
   * Every kind that webhooks can have, of all plugins, with the body that receivers get.
   *
   * Permission: `webhook.read`.
   *
   * Needs the plan feature `webhooks`.
   */
  eventKinds(input?: ListEventKindsInput, options?: RequestOptions): Pages<EventKindPage>
}

export interface DashboardVerbs {
  /**
   * Get the key figures.
   *
   * Each figure with that of the previous period of the same length and, where it is set, its target.
   *
   * Permission: `dashboard.read`.
   */
  summary(input?: GetDashboardSummaryInput, options?: RequestOptions): Promise<GetDashboardSummaryResult>
  /**
   * List activity.
   *
   * What happened in the workspace, newest first. It names memories and holds none of their text.
   *
   * Permission: `dashboard.read`.
   */
  activity(input?: ListActivityInput, options?: RequestOptions): Pages<ActivityPage>
  /**
   * Chart memories.
   *
   * How many were created.
   *
   * Permission: `dashboard.read`.
   */
  memories(input?: GetMemoryChartInput, options?: RequestOptions): Promise<CountPoint[]>
  /**
   * Chart requests.
   *
   * How many were made.
   *
   * Permission: `dashboard.read`.
   */
  requests(input?: GetRequestChartInput, options?: RequestOptions): Promise<CountPoint[]>
  /**
   * Chart tokens.
   *
   * What models read and wrote.
   *
   * Permission: `dashboard.read`.
   */
  tokens(input?: GetTokenChartInput, options?: RequestOptions): Promise<TokenPoint[]>
  /**
   * Get the quality of searches.
   *
   * Search quality in the period, and the tokens that models used, by operation.
   *
   * Permission: `dashboard.read`.
   */
  quality(input?: GetSearchQualityInput, options?: RequestOptions): Promise<GetSearchQualityResult>
  /**
   * Count memories by category.
   *
   * Memories created in the period, by days in UTC, each as it stood at the end of its day.
   *
   * Permission: `dashboard.read`.
   */
  categories(input?: GetCategorySharesInput, options?: RequestOptions): Promise<GetCategorySharesResult>
  /**
   * List the most frequent queries.
   *
   * Queries that differ in case and spacing alone count as one. By days in UTC: of each, and of whole months and thirds of months, the 200 most frequent are known and 200 that went worst.
   *
   * Permission: `dashboard.read`.
   */
  topQueries(input?: ListTopQueriesInput, options?: RequestOptions): Promise<ListTopQueriesResult>
  /**
   * List alerts.
   *
   * They are checked every ten minutes, and here anew after ten seconds; reported once, they resolve by themselves.
   *
   * Permission: `dashboard.read`.
   */
  alerts(input?: ListAlertsInput, options?: RequestOptions): Promise<Alert[]>
  /**
   * Diagnose searches.
   *
   * The queries with the weakest results and those without any, with what can be done about each.
   *
   * Permission: `dashboard.read`.
   */
  diagnosis(input?: DiagnoseSearchesInput, options?: RequestOptions): Promise<DiagnoseSearchesResult>
}

export interface WorkspacesVerbs {
  /**
   * Create a workspace.
   *
   * Creates a workspace with its test twin. It gets the plan of the caller's workspace; a signed-in account may choose another. A key that creates a workspace may use it from then on. The plan of the account's first workspace says how many there may be, and that of a key's own workspace how many the key may have.
   *
   * Permission: `workspace.write`.
   */
  create(input: CreateWorkspaceInput, options?: RequestOptions): Promise<Workspace>
  /**
   * List workspaces.
   *
   * Workspaces that the key may use, or all that the signed-in account owns or is a member of, oldest first. A test key sees their test twins.
   *
   * Permission: `workspace.read`.
   */
  list(input?: ListWorkspacesInput, options?: RequestOptions): Pages<WorkspacePage>
  /**
   * Get a workspace.
   *
   * Permission: `workspace.read`.
   */
  get(id: string, input?: Record<never, never>, options?: RequestOptions): Promise<Workspace>
  /**
   * Update a workspace.
   *
   * Changes the given fields. Settings merge key by key, nested ones too; null restores the default. Some settings require more than the permission, as their descriptions say. Only a signed-in account changes the plan.
   *
   * Permission: `workspace.write`.
   */
  update(id: string, input?: Omit<UpdateWorkspaceInput, 'id'>, options?: RequestOptions): Promise<Workspace>
  /**
   * Delete a workspace.
   *
   * Permanently deletes the workspace with its test twin, its keys and all data. It cannot be reached from this moment on; a job removes the data. Requires the account password in `X-Confirm-Password`. The last workspace of an account cannot be deleted.
   *
   * Permission: `workspace.delete`.
   */
  delete(id: string, input: Omit<DeleteWorkspaceInput, 'id'>, options?: RequestOptions): Promise<void>
}

export interface KeysVerbs {
  /**
   * Create an API key.
   *
   * The key is shown in this response only. With `user_id` it is bound to that user: it reads and writes only what is of the user, and can be held by a browser or by the agent of that user.
   *
   * For a signed-in account only, never for a key.
   */
  create(input: CreateApiKeyInput, options?: RequestOptions): Promise<ApiKeyWithSecret>
  /**
   * List API keys.
   *
   * API keys of all workspaces of the account, newest first, without the keys themselves; an admin of the workspace of another account sees those that are good for it alone. Revoked keys are not listed.
   *
   * For a signed-in account only, never for a key.
   */
  list(input?: ListApiKeysInput, options?: RequestOptions): Pages<ApiKeyPage>
  /**
   * Update an API key.
   *
   * Changes the given fields; lists are replaced. The workspace, the mode, the user and the key itself do not change.
   *
   * For a signed-in account only, never for a key.
   */
  update(id: string, input?: Omit<UpdateApiKeyInput, 'id'>, options?: RequestOptions): Promise<ApiKey>
  /**
   * Revoke an API key.
   *
   * It and its tokens stop working within 5 seconds on every server.
   *
   * For a signed-in account only, never for a key.
   */
  revoke(id: string, input?: Omit<RevokeApiKeyInput, 'id'>, options?: RequestOptions): Promise<void>
  /**
   * Rotate an API key.
   *
   * Gives it a new secret, shown in this response only. The old one, and the tokens that were made with it, stop working within 5 seconds; to change over without a gap, create a second key instead and revoke this one later.
   *
   * For a signed-in account only, never for a key.
   */
  rotate(id: string, input?: Omit<RotateApiKeyInput, 'id'>, options?: RequestOptions): Promise<ApiKeyWithSecret>
  /**
   * List permissions.
   *
   * All permissions that a key can be given, in groups.
   *
   * Any valid key or session.
   */
  permissions(input?: Record<never, never>, options?: RequestOptions): Promise<ListPermissionsResult>
}

export interface ServerVerbs {
  /**
   * Liveness: the process responds.
   *
   * Touches nothing else, so a restart is only ever triggered by a hung process.
   *
   * Open to anyone.
   */
  health(input?: Record<never, never>, options?: RequestOptions): Promise<GetHealthResult>
  /**
   * Readiness: everything a request needs.
   *
   * Names each part with `ok`, `degraded` (it serves, with less) or `failed`; 503 when any failed, or when the process stops. `details` says more of some.
   *
   * Open to anyone.
   */
  readiness(input?: GetReadinessInput, options?: RequestOptions): Promise<Readiness>
}

/** All verbs, by what they are about. */
export interface Verbs {
  readonly memories: MemoriesVerbs
  readonly users: UsersVerbs
  readonly searches: SearchesVerbs
  readonly graph: GraphVerbs
  readonly knowledge: KnowledgeVerbs
  readonly conversations: ConversationsVerbs
  readonly exports: ExportsVerbs
  readonly imports: ImportsVerbs
  readonly documents: DocumentsVerbs
  readonly templates: TemplatesVerbs
  readonly webhooks: WebhooksVerbs
  readonly dashboard: DashboardVerbs
  readonly workspaces: WorkspacesVerbs
  readonly keys: KeysVerbs
  readonly server: ServerVerbs
}

/** Each verb with its operation (with a star where it gives pages), the fields that are given in order, and those that it sets. */
export const VERBS: Readonly<Record<keyof Verbs, Readonly<Record<string, string>>>> = {
  memories: {
    create: 'createMemory memory',
    createMany: 'createMemoryBatch memories',
    list: 'listMemories*',
    get: 'getMemory id',
    update: 'updateMemory id',
    delete: 'deleteMemory id',
    deleteAll: 'deleteMemories',
    history: 'listMemoryHistory* id',
    promote: 'promoteMemory id',
    restore: 'restoreMemory id',
    reprocess: 'reprocessMemory id',
    reprocessMany: 'reprocessMemories',
    feedback: 'giveFeedback id signal',
    categories: 'listCategories',
    usersAndAgents: 'listUsersAndAgents',
  },
  users: {
    list: 'listUsers*',
    delete: 'deleteNamedUser user_id',
    erasure: 'getErasure id',
  },
  searches: {
    run: 'searchMemories* query',
    explain: 'explainSearch',
    balance: 'getSearchBalance',
    resetBalance: 'resetSearchBalance',
  },
  graph: {
    ask: 'askGraph query',
    entities: 'listEntities*',
    entity: 'getEntity id',
    relationships: 'listRelationships id',
    search: 'searchEntities query',
    traverse: 'traverseGraph from',
  },
  knowledge: {
    list: 'listKnowledge*',
    merged: 'listKnowledge merged=true',
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
    list: 'listExports*',
    get: 'getExport id',
    delete: 'deleteExport id',
    download: 'downloadExport id',
  },
  imports: {
    create: 'createImport file',
    list: 'listImports*',
    get: 'getImport id',
  },
  documents: {
    ingest: 'ingestDocument',
    list: 'listIngestJobs*',
    get: 'getIngestJob id',
    cancel: 'cancelIngestJob id',
    delete: 'deleteIngestJob id',
    memories: 'listIngestJobMemories* id',
  },
  templates: {
    create: 'createTemplate',
    list: 'listTemplates*',
    get: 'getTemplate id',
    update: 'updateTemplate id',
    delete: 'deleteTemplate id',
    preview: 'previewTemplate id',
    apply: 'applyTemplate id',
    builtIn: 'listBuiltInTemplates*',
    copyBuiltIn: 'copyBuiltInTemplate key',
  },
  webhooks: {
    create: 'createWebhook',
    list: 'listWebhooks*',
    get: 'getWebhook id',
    update: 'updateWebhook id',
    delete: 'deleteWebhook id',
    rotateSecret: 'rotateWebhookSecret id',
    test: 'testWebhook id',
    deliveries: 'listDeliveries* id',
    redeliver: 'redeliverDelivery id delivery_id',
    redeliverFailed: 'redeliverFailedDeliveries id',
    eventKinds: 'listEventKinds*',
  },
  dashboard: {
    summary: 'getDashboardSummary',
    activity: 'listActivity*',
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
    list: 'listWorkspaces*',
    get: 'getWorkspace id',
    update: 'updateWorkspace id',
    delete: 'deleteWorkspace id',
  },
  keys: {
    create: 'createApiKey',
    list: 'listApiKeys*',
    update: 'updateApiKey id',
    revoke: 'revokeApiKey id',
    rotate: 'rotateApiKey id',
    permissions: 'listPermissions',
  },
  server: {
    health: 'getHealth',
    readiness: 'getReadiness',
  },
}

/** Work that goes on in the background after its response. */
export type Waitable = Memory | Erasure | Conversation | Export | Import | IngestJob

/** The operations that give the state of such work, each with a field that only its object has. */
export const WAITED_FOR = {
  getMemory: 'memory',
  getErasure: 'receipt',
  getConversation: 'memories',
  getExport: 'include',
  getImport: 'memories_expired',
  getIngestJob: 'memories_removed',
} as const

/** `ACCOUNT_EXISTS` */
export class AccountExistsError extends MnemeError {}
/** `API_KEY_NOT_FOUND` */
export class ApiKeyNotFoundError extends MnemeError {}
/** `APPLICATION_UNKNOWN` */
export class ApplicationUnknownError extends MnemeError {}
/** `BRIDGE_OFF` */
export class BridgeOffError extends MnemeError {}
/** `BRIDGE_UNSUPPORTED` */
export class BridgeUnsupportedError extends MnemeError {}
/** `CONNECTION_NOT_FOUND` */
export class ConnectionNotFoundError extends MnemeError {}
/** `CONVERSATION_NOT_FOUND` */
export class ConversationNotFoundError extends MnemeError {}
/** `CONVERSATION_NOT_KEPT` */
export class ConversationNotKeptError extends MnemeError {}
/** `DELIVERY_NOT_FOUND` */
export class DeliveryNotFoundError extends MnemeError {}
/** `DOCUMENT_AMBIGUOUS` */
export class DocumentAmbiguousError extends MnemeError {}
/** `DUPLICATE_MEMORY` */
export class DuplicateMemoryError extends MnemeError {}
/** `DUPLICATE_WEBHOOK_URL` */
export class DuplicateWebhookUrlError extends MnemeError {}
/** `ENTITY_NOT_FOUND` */
export class EntityNotFoundError extends MnemeError {}
/** `ERASURE_NOT_FOUND` */
export class ErasureNotFoundError extends MnemeError {}
/** `EXPORT_EXPIRED` */
export class ExportExpiredError extends MnemeError {}
/** `EXPORT_NOT_FOUND` */
export class ExportNotFoundError extends MnemeError {}
/** `EXPORT_NOT_READY` */
export class ExportNotReadyError extends MnemeError {}
/** `FEATURE_NOT_ENABLED` */
export class FeatureNotEnabledError extends MnemeError {}
/** `FILE_TOO_LARGE` */
export class FileTooLargeError extends MnemeError {}
/** `FORBIDDEN` */
export class ForbiddenError extends MnemeError {}
/** `HOLDER_STAYS` */
export class HolderStaysError extends MnemeError {}
/** `IDEMPOTENCY_CONFLICT` */
export class IdempotencyConflictError extends MnemeError {}
/** `IMPORT_NOT_FOUND` */
export class ImportNotFoundError extends MnemeError {}
/** `INGEST_JOB_FINISHED` */
export class IngestJobFinishedError extends MnemeError {}
/** `INGEST_JOB_NOT_FOUND` */
export class IngestJobNotFoundError extends MnemeError {}
/** `INGEST_JOB_REPLACING` */
export class IngestJobReplacingError extends MnemeError {}
/** `INTERNAL_ERROR` */
export class InternalError extends MnemeError {}
/** `INVITATION_NOT_FOUND` */
export class InvitationNotFoundError extends MnemeError {}
/** `KNOWLEDGE_CHANGED` */
export class KnowledgeChangedError extends MnemeError {}
/** `KNOWLEDGE_NOT_FOUND` */
export class KnowledgeNotFoundError extends MnemeError {}
/** `KNOWLEDGE_VERSION_NOT_FOUND` */
export class KnowledgeVersionNotFoundError extends MnemeError {}
/** `LAST_WORKSPACE` */
export class LastWorkspaceError extends MnemeError {}
/** `MEMBER_NOT_FOUND` */
export class MemberNotFoundError extends MnemeError {}
/** `MEMORY_CONSOLIDATED` */
export class MemoryConsolidatedError extends MnemeError {}
/** `MEMORY_EXPIRED` */
export class MemoryExpiredError extends MnemeError {}
/** `MEMORY_NOT_CONSOLIDATED` */
export class MemoryNotConsolidatedError extends MnemeError {}
/** `MEMORY_NOT_FOUND` */
export class MemoryNotFoundError extends MnemeError {}
/** `MEMORY_NOT_PROMOTABLE` */
export class MemoryNotPromotableError extends MnemeError {}
/** `METHOD_NOT_ALLOWED` */
export class MethodNotAllowedError extends MnemeError {}
/** `NOT_FOUND` */
export class NotFoundError extends MnemeError {}
/** `PASSWORD_CONFIRMATION_REQUIRED` */
export class PasswordConfirmationRequiredError extends MnemeError {}
/** `PAYLOAD_TOO_LARGE` */
export class PayloadTooLargeError extends MnemeError {}
/** `PRECONDITION_FAILED` */
export class PreconditionFailedError extends MnemeError {}
/** `PROFILE_SCHEMA_NOT_FOUND` */
export class ProfileSchemaNotFoundError extends MnemeError {}
/** `QUOTA_EXCEEDED` */
export class QuotaExceededError extends MnemeError {}
/** `RANGE_NOT_SATISFIABLE` */
export class RangeNotSatisfiableError extends MnemeError {}
/** `RATE_LIMITED` */
export class RateLimitedError extends MnemeError {}
/** `REQUEST_TIMEOUT` */
export class RequestTimeoutError extends MnemeError {}
/** `RESPONSE_TOO_LARGE` */
export class ResponseTooLargeError extends MnemeError {}
/** `SECRET_REFUSED` */
export class SecretRefusedError extends MnemeError {}
/** `SERVICE_UNAVAILABLE` */
export class ServiceUnavailableError extends MnemeError {}
/** `TEMPLATE_LIMIT_EXCEEDED` */
export class TemplateLimitExceededError extends MnemeError {}
/** `TEMPLATE_NOT_FOUND` */
export class TemplateNotFoundError extends MnemeError {}
/** `TOO_MANY_MEMBERS` */
export class TooManyMembersError extends MnemeError {}
/** `UNAUTHORIZED` */
export class UnauthorizedError extends MnemeError {}
/** `UNSUPPORTED_FORMAT` */
export class UnsupportedFormatError extends MnemeError {}
/** `UNSUPPORTED_MEDIA_TYPE` */
export class UnsupportedMediaTypeError extends MnemeError {}
/** `VALIDATION_ERROR` */
export class ValidationError extends MnemeError {}
/** `WEBHOOK_LIMIT_EXCEEDED` */
export class WebhookLimitExceededError extends MnemeError {}
/** `WEBHOOK_NOT_FOUND` */
export class WebhookNotFoundError extends MnemeError {}
/** `WORKSPACE_ACCESS_DENIED` */
export class WorkspaceAccessDeniedError extends MnemeError {}
/** `WORKSPACE_NOT_FOUND` */
export class WorkspaceNotFoundError extends MnemeError {}

export const ERRORS: Readonly<Record<string, typeof MnemeError>> = {
  ACCOUNT_EXISTS: AccountExistsError,
  API_KEY_NOT_FOUND: ApiKeyNotFoundError,
  APPLICATION_UNKNOWN: ApplicationUnknownError,
  BRIDGE_OFF: BridgeOffError,
  BRIDGE_UNSUPPORTED: BridgeUnsupportedError,
  CONNECTION_NOT_FOUND: ConnectionNotFoundError,
  CONVERSATION_NOT_FOUND: ConversationNotFoundError,
  CONVERSATION_NOT_KEPT: ConversationNotKeptError,
  DELIVERY_NOT_FOUND: DeliveryNotFoundError,
  DOCUMENT_AMBIGUOUS: DocumentAmbiguousError,
  DUPLICATE_MEMORY: DuplicateMemoryError,
  DUPLICATE_WEBHOOK_URL: DuplicateWebhookUrlError,
  ENTITY_NOT_FOUND: EntityNotFoundError,
  ERASURE_NOT_FOUND: ErasureNotFoundError,
  EXPORT_EXPIRED: ExportExpiredError,
  EXPORT_NOT_FOUND: ExportNotFoundError,
  EXPORT_NOT_READY: ExportNotReadyError,
  FEATURE_NOT_ENABLED: FeatureNotEnabledError,
  FILE_TOO_LARGE: FileTooLargeError,
  FORBIDDEN: ForbiddenError,
  HOLDER_STAYS: HolderStaysError,
  IDEMPOTENCY_CONFLICT: IdempotencyConflictError,
  IMPORT_NOT_FOUND: ImportNotFoundError,
  INGEST_JOB_FINISHED: IngestJobFinishedError,
  INGEST_JOB_NOT_FOUND: IngestJobNotFoundError,
  INGEST_JOB_REPLACING: IngestJobReplacingError,
  INTERNAL_ERROR: InternalError,
  INVITATION_NOT_FOUND: InvitationNotFoundError,
  KNOWLEDGE_CHANGED: KnowledgeChangedError,
  KNOWLEDGE_NOT_FOUND: KnowledgeNotFoundError,
  KNOWLEDGE_VERSION_NOT_FOUND: KnowledgeVersionNotFoundError,
  LAST_WORKSPACE: LastWorkspaceError,
  MEMBER_NOT_FOUND: MemberNotFoundError,
  MEMORY_CONSOLIDATED: MemoryConsolidatedError,
  MEMORY_EXPIRED: MemoryExpiredError,
  MEMORY_NOT_CONSOLIDATED: MemoryNotConsolidatedError,
  MEMORY_NOT_FOUND: MemoryNotFoundError,
  MEMORY_NOT_PROMOTABLE: MemoryNotPromotableError,
  METHOD_NOT_ALLOWED: MethodNotAllowedError,
  NOT_FOUND: NotFoundError,
  PASSWORD_CONFIRMATION_REQUIRED: PasswordConfirmationRequiredError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  PRECONDITION_FAILED: PreconditionFailedError,
  PROFILE_SCHEMA_NOT_FOUND: ProfileSchemaNotFoundError,
  QUOTA_EXCEEDED: QuotaExceededError,
  RANGE_NOT_SATISFIABLE: RangeNotSatisfiableError,
  RATE_LIMITED: RateLimitedError,
  REQUEST_TIMEOUT: RequestTimeoutError,
  RESPONSE_TOO_LARGE: ResponseTooLargeError,
  SECRET_REFUSED: SecretRefusedError,
  SERVICE_UNAVAILABLE: ServiceUnavailableError,
  TEMPLATE_LIMIT_EXCEEDED: TemplateLimitExceededError,
  TEMPLATE_NOT_FOUND: TemplateNotFoundError,
  TOO_MANY_MEMBERS: TooManyMembersError,
  UNAUTHORIZED: UnauthorizedError,
  UNSUPPORTED_FORMAT: UnsupportedFormatError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  VALIDATION_ERROR: ValidationError,
  WEBHOOK_LIMIT_EXCEEDED: WebhookLimitExceededError,
  WEBHOOK_NOT_FOUND: WebhookNotFoundError,
  WORKSPACE_ACCESS_DENIED: WorkspaceAccessDeniedError,
  WORKSPACE_NOT_FOUND: WorkspaceNotFoundError,
}
