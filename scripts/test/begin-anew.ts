import { vi } from 'vitest'

// Runs before each file where files take turns in a process: what our modules remember is of that file alone.
vi.resetModules()
vi.useRealTimers()
