export interface Field {
  readonly name: string
  readonly type: string
  readonly num_dim?: number
  readonly optional?: boolean
}

export type Document = { readonly id: string } & Readonly<Record<string, unknown>>

export interface Collection {
  readonly name: string
  readonly fields: Map<string, Field>
  readonly documents: Map<string, Document>
}
