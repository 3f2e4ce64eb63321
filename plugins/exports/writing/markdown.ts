import { MEMORIES } from '../job.ts'
import type { ExportWriter } from './format.ts'

/**
 * For reading: each memory and compiled document as a quotation under its time and user, so that their headings, lists and fences are theirs,
 * and other records as JSON.
 */
export function markdownWriter(): ExportWriter {
  return {
    contentType: 'text/markdown; charset=utf-8',
    extension: 'md',
    begin({ workspace, exported_at, include }) {
      const title = `# ${oneLine(workspace.name)}\n\nExported ${exported_at}.\n`
      return include.includes(MEMORIES) ? `${title}\n## Memories\n` : title
    },
    memory(memory) {
      if (memory.consolidated_into !== null) return ''
      const { created_at, user_id, priority, categories, metadata, id } = memory
      const notes = [priority, ...categories.map(oneLine), ...(metadata ? [codeOf(metadata)] : []), id]
      return `\n### ${created_at}, ${oneLine(user_id)}\n\n${quoted(memory.memory)}\n\n<small>${notes.join(' · ')}</small>\n`
    },
    beginSection: name => `\n## ${name[0]?.toUpperCase() ?? ''}${name.slice(1)}\n`,
    record: ({ type, ...record }) =>
      typeof record.content === 'string'
        ? `\n### ${oneLine(String(record.category ?? type))}, ${oneLine(String(record.user_id ?? ''))}\n\n${quoted(record.content)}\n`
        : `\n- ${oneLine(type)} ${codeOf(record)}\n`,
    endSection: () => '',
    end: () => '',
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function quoted(text: string): string {
  const lines = text.trimEnd().split(/\r\n|[\n\r\u2028\u2029]/)
  return lines.map(line => (line.trim() ? `> ${line}` : '>')).join('\n')
}

/** Backticks within go on to the next run of as many (CommonMark 0.31, 6.1), so the ones around are more. */
function codeOf(value: unknown): string {
  const json = JSON.stringify(value)
  const longest = Math.max(0, ...(json.match(/`+/g) ?? []).map(run => run.length))
  const marks = '`'.repeat(longest + 1)
  return longest > 0 ? `${marks} ${json} ${marks}` : `${marks}${json}${marks}`
}
