import { equal } from '../crypto/constant-time.ts'
import type { UnlinkNotification, UnlinkRequest } from '../openid/provider.ts'
import { onlyField } from './unlink-fields.ts'

// Somebody's number in an application of Kakao's is a Long.
const userIdPattern = /^[1-9]\d{0,18}$/
const reasonPattern = /^[A-Z_]{1,64}$/

/**
 * Kakao signs nothing: who has the admin key is believed.
 * https://developers.kakao.com/docs/latest/en/kakaologin/callback#unlink
 */
export function verifyKakaoUnlink(
  { headers, fields }: UnlinkRequest,
  adminKey: string | undefined,
): UnlinkNotification | null {
  if (!adminKey) return null
  if (!equal(headers.get('authorization') ?? '', `KakaoAK ${adminKey}`)) return null
  const providerUserId = onlyField(fields, 'user_id')
  if (!userIdPattern.test(providerUserId)) return null
  const reason = onlyField(fields, 'referrer_type')
  return { providerUserId, reason: reasonPattern.test(reason) ? reason : 'unlinked' }
}
