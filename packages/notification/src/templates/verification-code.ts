import { codeBox, mailContent, paragraph } from './mail-page.ts'
import { pickByLocale } from './pick-by-locale.ts'
import type { Content } from './template.ts'
import { duration } from './times.ts'

/** For `verification-code`, sent with a code, as mail or as a text message. */
export interface VerificationCodeFacts {
  code: string
  expiresInMinutes: number
  /**
   * `login`, `registration`…: the purpose of the code. It selects a sentence and is never shown.
   */
  purpose: string
}

interface Words {
  title: Record<string, string> & { other: string }
  subject: (code: string) => string
  lead: string
  expiry: (time: string) => string
  note: string
}

const english: Words = {
  title: {
    registration: 'Confirm your new account',
    login: 'Your sign-in code',
    password_reset: 'Reset your password',
    email_change: 'Confirm your new email address',
    phone_change: 'Confirm your new phone number',
    account_deletion: 'Your code to delete or restore your account',
    other: 'Your verification code',
  },
  subject: (code) => `${code} is your code`,
  lead: 'Enter this code where you were asked for it:',
  expiry: (time) => `It works once and expires in ${time}.`,
  note: 'If you didn’t ask for it, you can ignore this message. Don’t share the code: we never ask you for it.',
}

const korean: Words = {
  title: {
    registration: '회원 가입 인증 코드',
    login: '로그인 인증 코드',
    password_reset: '비밀번호 재설정 인증 코드',
    email_change: '새 이메일 주소 인증 코드',
    phone_change: '새 전화번호 인증 코드',
    account_deletion: '계정 삭제 또는 복구 인증 코드',
    other: '인증 코드',
  },
  subject: (code) => `인증 코드 ${code}`,
  lead: '요청하신 화면에 아래 코드를 입력해 주세요.',
  expiry: (time) => `코드는 ${time} 동안 한 번만 사용할 수 있습니다.`,
  note: '직접 요청하지 않으셨다면 이 메시지를 무시하셔도 됩니다. 코드를 다른 사람에게 알려 주지 마세요. 저희는 코드를 묻지 않습니다.',
}

/**
 * The one-time code of a sign-in, a registration, a change of address, a deletion, or its
 * cancellation.
 */
export function verificationCode(facts: VerificationCodeFacts, locale: string): Content {
  const { code, expiresInMinutes, purpose } = facts
  const { lang, words } = pickByLocale({ en: english, ko: korean }, locale)
  const title = titleOf(words, purpose)
  const expiry = words.expiry(duration(lang, expiresInMinutes, 'minute'))
  const content = mailContent({
    lang,
    title,
    body: [paragraph(words.lead), codeBox(code), paragraph(expiry)],
    note: words.note,
  })
  const subject = words.subject(code)
  return { ...content, subject, short: `${subject}. ${expiry}` }
}

function titleOf({ title }: Words, purpose: string) {
  return (Object.hasOwn(title, purpose) ? title[purpose] : undefined) ?? title.other
}
