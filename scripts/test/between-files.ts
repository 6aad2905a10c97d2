import { vi } from 'vitest'
import { stopTestServers } from '../../packages/core/src/testing/test-server.ts'

// Runs before each file where files take turns in a process. A file whose tests fail or are skipped may leave servers
// behind, its clock may stand still, and what its last test has put in place of a global goes before the next test only.
await stopTestServers()
vi.useRealTimers()
// Connections that the last file has closed are noticed here, and not while this one's clock stands still.
await new Promise((noticed) => setTimeout(noticed, 25))
vi.unstubAllGlobals()
vi.restoreAllMocks()
