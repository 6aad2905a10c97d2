import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { users } from '../../accounts/schema.ts'
import { hashToken, newToken } from '../../crypto/crypto.ts'
import { mailedLinks } from '../../links/schema.ts'
import type { TestAuth } from '../../testing.ts'

/** Links as if they had been mailed: a job that mails takes longer than a race. */
export function readyLinks({ auth: { db }, clock }: TestAuth, flow: 'signup' | 'reset') {
  const purpose = flow === 'reset' ? 'password_reset' : 'signup'

  async function insert(email: string, opened?: { setupHash: string }) {
    const [account] = await db.select().from(users).where(eq(users.email, email))
    const { userId, generation } = account ?? { userId: null, generation: null }
    const token = newToken()
    const createdAt = clock.now()
    await db.insert(mailedLinks).values({
      linkId: randomUUID(),
      purpose,
      subject: email,
      userId,
      generation,
      createdAt,
      state: opened ? 'opened' : 'issued',
      tokenHash: hashToken(token),
      ...opened,
      expiresAt: new Date(createdAt.getTime() + 600_000),
    })
    return token
  }

  return {
    token: (email: string) => insert(email),
    /** Of a link that was opened. */
    secret: async (email: string) => {
      const secret = newToken()
      await insert(email, { setupHash: hashToken(secret) })
      return secret
    },
  }
}
