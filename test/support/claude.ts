import { afterAll, beforeAll } from 'bun:test'
import {
  FAKE_CLAUDE_KEY,
  FAKE_CLAUDE_URL,
  FakeClaude,
} from '../../core/models/language/claude/fake-claude.test-support.ts'
import { ownDatabaseUrl } from './database.ts'
import { startService, type TestService } from './service.ts'

/**
 * Starts a service for a test file that uses a fake Claude. It has a database of its own, so that no other service of
 * the run takes its jobs, and is stopped after the file.
 */
export function serviceWithClaude(settings: Readonly<Record<string, string>> = {}) {
  const claude = new FakeClaude()
  let running: TestService | undefined
  beforeAll(async () => {
    await claude.start()
    running = await startService(
      {
        LANGUAGE_MODEL: 'claude',
        ANTHROPIC_API_KEY: FAKE_CLAUDE_KEY,
        ANTHROPIC_BASE_URL: FAKE_CLAUDE_URL,
        ...settings,
      },
      { url: await ownDatabaseUrl() },
    )
  })
  afterAll(async () => {
    // The service would go on to call it, and be counted by the next file's fake.
    await running?.kernel.stop()
    await claude.stop()
  })
  return {
    claude,
    /** Once tests run. */
    service(): TestService {
      if (!running) throw new Error('the service is not started yet')
      return running
    },
  }
}
