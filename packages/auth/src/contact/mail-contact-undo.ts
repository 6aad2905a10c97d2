import type { Needs } from '../auth.ts'

/** Sends the old address or number the link that takes the change back. */
export async function mailContactUndo(_auth: Needs<'db'>, _changeId: string) {}
