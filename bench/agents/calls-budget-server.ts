import { perDay, perMinute } from '@svc/core/contract'
import { serveNotes } from './serve-notes.ts'

// More than a bench sends.
await serveNotes({ calls: [perMinute(10_000_000), perDay(1_000_000_000)] })
