import { createDecipheriv, createHash, createHmac } from 'node:crypto'
import { equal } from '../crypto/constant-time.ts'
import type { UnlinkNotification, UnlinkRequest } from '../openid/provider.ts'
import type { WebClient } from '../openid/provider-settings.ts'
import { isNaverUserId } from './naver-user-id.ts'
import { onlyField } from './unlink-fields.ts'

const blockBytes = 16
// What was sent long ago may have been followed by a new consent.
const freshMillis = 10 * 60 * 1000

/**
 * What is signed, how it is encrypted and the one key for both are Naver's: sections 4.4.1 to 4.4.3 of
 * https://developers.naver.com/docs/login/devguide/devguide.md
 */
export function verifyNaverUnlink(
  { fields, now }: UnlinkRequest,
  client: WebClient | null,
): UnlinkNotification | null {
  if (!client?.clientSecret) return null
  const clientId = onlyField(fields, 'clientId')
  const encryptUniqueId = onlyField(fields, 'encryptUniqueId')
  const timestamp = onlyField(fields, 'timestamp')
  const key = createHash('md5').update(client.clientSecret).digest()
  const signature = createHmac('sha256', key)
    .update(`clientId=${clientId}&encryptUniqueId=${encryptUniqueId}&timestamp=${timestamp}`)
    .digest('base64url')
  // Before anything is decrypted: whoever cannot sign must not learn whether a padding was right.
  if (!equal(onlyField(fields, 'signature'), signature)) return null
  if (clientId !== client.clientId) return null
  const at = readTime(timestamp)
  if (!at || Math.abs(now.getTime() - at.getTime()) > freshMillis) return null
  const providerUserId = decrypt(encryptUniqueId, key)
  return isNaverUserId(providerUserId) ? { providerUserId, reason: 'unlinked', at } : null
}

/** Seconds since 1970. */
function readTime(timestamp: string) {
  return /^\d{1,12}$/.test(timestamp) ? new Date(Number(timestamp) * 1000) : null
}

/** The vector stands before what was encrypted, both in base64url. */
function decrypt(encrypted: string, key: Buffer) {
  const bytes = Buffer.from(encrypted, 'base64url')
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, bytes.subarray(0, blockBytes))
    return decipher.update(bytes.subarray(blockBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
