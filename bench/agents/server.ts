import { serveNotes } from './serve-notes.ts'

await serveNotes()
