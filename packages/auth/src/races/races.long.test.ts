import { vi } from 'vitest'
import { setRounds } from './race.ts'

setRounds(500)
vi.setConfig({ testTimeout: 3_600_000 })
await import('./invitations.test.ts')
await import('./key-ids.test.ts')
await import('./once.test.ts')
await import('./password.test.ts')
await import('./revocation.test.ts')
await import('./rotation.test.ts')
await import('./suspension.test.ts')
