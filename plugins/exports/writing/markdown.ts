import { MEMORIES } from '../job.ts'
import type { ExportWriter } from './format.ts'

/** For reading: each memory under its time and user, compiled documents as they are, other records as JSON. */
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
      const notes = [priority, ...categories.map(oneLine), ...(metadata ? [`\`${JSON.stringify(metadata)}\``] : []), id]
      return `\n### ${created_at}, ${oneLine(user_id)}\n\n${memory.memory}\n\n<small>${notes.join(' · ')}</small>\n`
    },
    beginSection: name => `\n## ${name[0]?.toUpperCase() ?? ''}${name.slice(1)}\n`,
    record: ({ type, ...record }) =>
      typeof record.content === 'string'
        ? `\n### ${oneLine(String(record.category ?? type))}, ${oneLine(String(record.user_id ?? ''))}\n\n${record.content}\n`
        : `\n- ${oneLine(type)} \`${JSON.stringify(record)}\`\n`,
    endSection: () => '',
    end: () => '',
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
