import type { Needs } from '../auth.ts'

/** Mails an invitation's link. */
export async function mailInvitation(_auth: Needs<'db'>, _invitationId: string) {}
