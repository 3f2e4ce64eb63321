import { AppError, compileValidator, type Tenant } from 'mneme/plugin'
import { INTAKE_MS_MAX, type IncomingMemory, type IntakeVerdict, type MemoryIntakeHook } from '../contract/intake.ts'
import { screen, secretsMode } from '../contract/secrets.ts'
import { memoryFailure } from '../errors.ts'
import { intakeChange } from '../schemas.ts'

/** Looks at every memory before it is stored, whichever way it comes. */
export const secretsIntake: MemoryIntakeHook = {
  id: 'secrets',
  errors: ['SECRET_REFUSED'],
  timeLimitMs: INTAKE_MS_MAX,
  async review(tenant, memories, signal) {
    const verdicts: IntakeVerdict[] = []
    for (const memory of memories) {
      signal.throwIfAborted()
      verdicts.push(await judge(tenant, memory))
    }
    return verdicts
  },
}

const fits = compileValidator(intakeChange)

async function judge({ workspace }: Tenant, { text, categories, metadata }: IncomingMemory): Promise<IntakeVerdict> {
  const given = {
    text,
    ...(categories === undefined ? {} : { categories }),
    ...(metadata === undefined ? {} : { metadata }),
  }
  try {
    const change = await screen(secretsMode.of(workspace), given)
    if (change === given) return undefined
    if (fits.faults(change).length === 0) return { change }
    return { refuse: memoryFailure('SECRET_REFUSED', { message: TOO_LONG }) }
  } catch (error) {
    if (error instanceof AppError) return { refuse: error }
    throw error
  }
}

const TOO_LONG = 'With its secrets masked the memory is longer than a memory may be; leave them out.'
