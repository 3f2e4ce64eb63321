export interface Field {
  readonly name: string
  readonly type: string
  readonly num_dim?: number
  readonly optional?: boolean
  readonly facet?: boolean
}

export type Document = { readonly id: string } & Readonly<Record<string, unknown>>

export interface Collection {
  readonly name: string
  readonly metadata?: unknown
  readonly fields: Map<string, Field>
  readonly documents: Map<string, Document>
}
