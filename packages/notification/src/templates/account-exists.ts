import { letter } from './letter.ts'
import { pickByLocale } from './pick-by-locale.ts'

/**
 * For `account-exists`, sent to an address that already has an account, when it is used to sign up.
 */
export interface AccountExistsFacts {
  /** The app's sign-in page. */
  url: string
}

const languages = {
  en: {
    title: 'You already have an account',
    lead: 'You or another person tried to sign up with this email address, but it already has an account. Sign in instead. If you forgot your password, you can reset it on the sign-in page.',
    action: 'Sign in',
    note: 'If it wasn’t you, you don’t need to do anything. Your account has not changed, and the other person was not told that it exists.',
  },
  ko: {
    title: '이미 가입된 이메일 주소입니다',
    lead: '누군가(회원님일 수도 있습니다) 이 이메일 주소로 회원 가입을 시도했지만, 이 주소에는 이미 계정이 있습니다. 로그인해 주세요. 비밀번호를 잊으셨다면 로그인 화면에서 재설정할 수 있습니다.',
    action: '로그인',
    note: '직접 시도하지 않으셨다면 아무것도 하지 않으셔도 됩니다. 계정은 그대로이며, 시도한 사람에게 계정이 있다는 사실을 알리지 않았습니다.',
  },
}

/** For an address that is signed up again. Only its owner learns that it has an account. */
export function accountExists({ url }: AccountExistsFacts, locale: string) {
  const { lang, words } = pickByLocale(languages, locale)
  return letter({ ...words, lang, action: { label: words.action, url } })
}
