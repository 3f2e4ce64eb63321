/** The values of a memory's enumerated fields. */
export type Priority = 'LOW' | 'MEDIUM' | 'HIGH'
export type Status = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
export type Layer = 'TASK' | 'RAW'
export type Source = 'API' | 'INGEST' | 'TEMPLATE' | 'CONVERSATION' | 'IMPORT'
export type Relevance = 'HIGH' | 'MEDIUM' | 'LOW' | 'NONE'
