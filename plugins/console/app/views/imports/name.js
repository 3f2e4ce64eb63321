/** The words by which people know a document. */
export function nameOf({ title, document_name, file_name, source_url }) {
  return title || document_name || file_name || source_url || 'A document without a name'
}
