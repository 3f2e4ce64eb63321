// The plugin of OpenCode, https://opencode.ai/docs/plugins, which runs inside of the agent. `mneme install opencode` puts it into the agent's
// folder of plugins, and `mneme uninstall opencode` removes it.
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const mneme = await import(pathToFileURL(join(homedir(), '.mneme', 'mneme.mjs')).href)

export const Mneme = async ({ directory, client }) => {
  const settings = await mneme.readSettings()
  // The agent's process began long ago.
  const fromNow = () => ({ ...settings, waitMs: performance.now() + settings.waitMs })
  const project = basename(directory)
  const note = (session, event, said) => mneme.note(settings, { agent: 'opencode', session, project }, event, said)
  const quietly = work => work.catch(error => console.error(`mneme: ${error.message}`))
  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const prompt = mneme.textOf(parts)
      if (!mneme.isTyped(prompt, {})) return
      await quietly(note(sessionID, 'prompt', prompt))
      const text = await quietly(mneme.contextOf(prompt, mneme.PROMPT_CONTEXT_MAX, fromNow()))
      const id = `prt_mneme${Date.now().toString(36)}`
      if (text) parts.push({ id, sessionID, messageID: message.id, type: 'text', text, synthetic: true })
    },
    event: async ({ event }) => {
      if (event.type !== 'session.idle') return
      const { sessionID } = event.properties
      const { data = [] } = await client.session.messages({ path: { id: sessionID } })
      const last = data.findLast(({ info }) => info.role === 'assistant')
      await quietly(note(sessionID, 'reply', mneme.textOf(last?.parts)).then(() => mneme.deliver(settings)))
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      await quietly(note(sessionID, 'compact', ''))
      const context = await quietly(mneme.startOf(project, fromNow()))
      if (context) output.context.push(context)
    },
  }
}
