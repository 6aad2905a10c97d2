import { t } from '@svc/core'
import { actionButton, moment as at, defineMail, paragraph } from '@svc/notification'

const Removed = t.Object({ organization: t.String() })

export const memberRemovedMail = defineMail('organizations.member-removed', Removed, {
  en: ({ organization }) => ({
    subject: `You are no longer a member of ${organization}`,
    body: [
      paragraph(
        `You have been removed from ${organization}, and can’t open it any more. Your account and your other organizations stay as they are.`,
      ),
    ],
    note: 'If you think that this is a mistake, ask the person who invited you.',
  }),
  ko: ({ organization }) => ({
    subject: `${organization} 조직에서 제외되었습니다`,
    body: [
      paragraph(
        `회원님은 ${organization} 조직에서 제외되어 더 이상 조직을 열 수 없습니다. 계정과 다른 조직은 그대로입니다.`,
      ),
    ],
    note: '착오라고 생각되면 회원님을 초대한 사람에게 문의하세요.',
  }),
})

const OwnerLost = t.Object({
  organization: t.String(),
  /** The member who did it; empty if that member has no name. */
  by: t.String(),
  at: t.String(),
})

/** The other mails about owners do not reach the reader any more. */
export const ownerLostMail = defineMail('organizations.owner-lost', OwnerLost, {
  en: ({ organization, by, at: moment }) => ({
    subject: `You are no longer an owner of ${organization}`,
    body: [
      paragraph(
        `${by || 'Another owner'} has taken this role from you on ${at('en', moment)}. You are still a member.`,
      ),
    ],
    note: 'If you didn’t expect this, ask the other owners. If all of them deny it, contact the support of this service.',
  }),
  ko: ({ organization, by, at: moment }) => ({
    subject: `회원님은 더 이상 ${organization} 조직의 소유자가 아닙니다`,
    body: [
      paragraph(
        `${by || '다른 소유자'} 님이 ${at('ko', moment)}에 이 역할을 해제했습니다. 회원님은 계속 구성원입니다.`,
      ),
    ],
    note: '예상하지 못한 변경이라면 다른 소유자에게 확인하세요. 아무도 하지 않았다면 이 서비스의 고객 지원에 문의하세요.',
  }),
})

/** What the reader lacks. What is left out is met, or is not asked. */
const Policies = t.Object({
  organization: t.String(),
  url: t.String(),
  /** From when on a second factor is asked. */
  secondFactorBy: t.Optional(t.String()),
  /** It is asked already. */
  isSecondFactorDue: t.Boolean(),
  domains: t.Optional(t.Array(t.String())),
  ways: t.Optional(t.Array(t.String())),
})

export const policiesMail = defineMail('organizations.policies', Policies, {
  en: ({ organization, url, secondFactorBy: by, isSecondFactorDue, domains, ways }) => ({
    subject: `New requirements in ${organization}`,
    body: [
      paragraph(`${organization} now asks its members for more. What you have to do:`),
      ...given(by, (moment) =>
        isSecondFactorDue
          ? 'Set up a second factor for your account.'
          : `Set up a second factor for your account by ${at('en', moment)}. After that, you can’t use the organization without one.`,
      ),
      ...given(domains, (all) => {
        const endings = among('en', all.map(ending))
        return `Change the email address of your account to one that ends in ${endings}.`
      }),
      ...given(ways, (all) => `Sign in with ${among('en', all.map(wayIn(english)))}.`),
      ...given(isSecondFactorDue || domains || ways || undefined, () =>
        by === undefined || isSecondFactorDue
          ? 'Until then, you can’t use the organization.'
          : 'Until you have changed your address or way to sign in, you can’t use the organization.',
      ),
      actionButton('Open the organization', url),
    ],
    note: `You get this mail because you are a member of ${organization}, and you stay one.`,
  }),
  ko: ({ organization, url, secondFactorBy: by, isSecondFactorDue, domains, ways }) => ({
    subject: `${organization} 조직에 새로운 요구 사항이 있습니다`,
    body: [
      paragraph(
        `이제 ${organization} 조직이 구성원에게 더 많은 것을 요구합니다. 하실 일은 다음과 같습니다.`,
      ),
      ...given(by, (moment) =>
        isSecondFactorDue
          ? '계정에 2단계 인증을 설정해 주세요.'
          : `${at('ko', moment)}까지 계정에 2단계 인증을 설정해 주세요. 그 뒤에는 2단계 인증 없이 조직을 쓸 수 없습니다.`,
      ),
      ...given(domains, (all) => {
        const endings = among('ko', all.map(ending))
        return `계정의 이메일 주소를 다음으로 끝나는 주소로 바꿔 주세요: ${endings}`
      }),
      ...given(
        ways,
        (all) => `다음 방법으로 로그인해 주세요: ${among('ko', all.map(wayIn(korean)))}`,
      ),
      ...given(isSecondFactorDue || domains || ways || undefined, () =>
        by === undefined || isSecondFactorDue
          ? '그때까지는 조직을 쓸 수 없습니다.'
          : '주소나 로그인 방법을 바꿀 때까지는 조직을 쓸 수 없습니다.',
      ),
      actionButton('조직 열기', url),
    ],
    note: `${organization} 조직의 구성원이라서 이 메일을 받으셨습니다. 구성원 자격은 그대로입니다.`,
  }),
})

/** A paragraph about what the reader lacks; none if it is met. */
const given = <Fact>(fact: Fact | undefined, text: (fact: Fact) => string) =>
  fact === undefined ? [] : [paragraph(text(fact))]

const among = (lang: string, all: readonly string[]) =>
  new Intl.ListFormat(lang, { type: 'disjunction' }).format(all)

const ending = (domain: string) => `@${domain}`

type Ways = Readonly<Record<string, string>>

const english: Ways = {
  password: 'a password',
  code: 'a code by mail',
  email: 'a mailed link',
  passkey: 'a passkey',
  google: 'Google',
  apple: 'Apple',
  github: 'GitHub',
  kakao: 'Kakao',
  naver: 'Naver',
}

const korean: Ways = {
  ...english,
  password: '비밀번호',
  code: '메일로 받은 코드',
  email: '메일 링크',
  passkey: '패스키',
  kakao: '카카오',
  naver: '네이버',
}

/** A way of a capability, or of a provider that the application has added, has its id as its name. */
const wayIn = (words: Ways) => (way: string) =>
  Object.hasOwn(words, way) ? (words[way] ?? way) : way
