import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'
import type { Content } from './template.ts'
import { duration } from './times.ts'
import { webAddress } from './web-address.ts'

/** For `contact-changed`, sent to the old address or number, with a link that restores it. */
export interface ContactChangedFacts {
  kind: 'email' | 'phone'
  /** Masked: the reader recognises it, and an attacker who reads this message learns nothing. */
  changedTo: string
  /** The page that undoes the change, with its token. */
  url: string
  expiresInHours: number
}

const languages = {
  en: {
    title: { email: 'Your email address was changed', phone: 'Your phone number was changed' },
    lead: {
      email:
        'Your account has a new email address. You can no longer sign in with this one, and we send no more messages here.',
      phone:
        'Your account has a new phone number. You can no longer sign in with this one, and we send no more messages here.',
    },
    changedTo: { email: 'New email address', phone: 'New phone number' },
    action: 'Undo the change',
    expiry: (time: string) => `The link works once and expires in ${time}.`,
    note: 'If you changed it, you don’t need to do anything. If not, another person is using your account. Undo the change now. This signs out every device and removes the password. Then set a new password.',
    short: (title: string, changedTo: string) => `${title} to ${changedTo}. Not you? Undo it: `,
  },
  ko: {
    title: { email: '이메일 주소가 변경되었습니다', phone: '전화번호가 변경되었습니다' },
    lead: {
      email:
        '계정의 이메일 주소가 다른 주소로 변경되었습니다. 이 주소로는 더 이상 로그인하거나 메시지를 받을 수 없습니다.',
      phone:
        '계정의 전화번호가 다른 번호로 변경되었습니다. 이 번호로는 더 이상 로그인하거나 메시지를 받을 수 없습니다.',
    },
    changedTo: { email: '새 이메일 주소', phone: '새 전화번호' },
    action: '변경 취소',
    expiry: (time: string) => `링크는 ${time} 동안 한 번만 사용할 수 있습니다.`,
    note: '직접 변경하셨다면 아무것도 하지 않으셔도 됩니다. 그렇지 않다면 다른 사람이 계정을 사용하고 있는 것입니다. 지금 변경을 취소해 주세요. 취소하면 모든 기기에서 로그아웃되고 비밀번호가 삭제되므로, 그다음 새 비밀번호를 설정해 주세요.',
    short: (title: string, changedTo: string) => `${title}(${changedTo}). 본인이 아니면 취소: `,
  },
}

/** Sent to the old address or number, after it was replaced. */
export function contactChanged(facts: ContactChangedFacts, locale: string): Content {
  const { kind, changedTo, url, expiresInHours } = facts
  const { lang, words } = pickByLocale(languages, locale)
  const title = words.title[kind]
  const content = letter({
    lang,
    title,
    lead: words.lead[kind],
    details: [[words.changedTo[kind], changedTo]],
    action: { label: words.action, url },
    expiry: words.expiry(duration(lang, expiresInHours, 'hour')),
    note: words.note,
  })
  return { ...content, short: `${words.short(title, changedTo)}${webAddress(url)}` }
}
