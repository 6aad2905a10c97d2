import { t } from '@svc/core'
import { actionButton, day, defineMail, detailList, moment, paragraph } from '@svc/notification'

const common = {
  organization: t.String(),
  /** A page of the web app. */
  url: t.String(),
  /** Who did it, as members see them. Empty for an operator, and if the user has no name. */
  by: t.String(),
}

const Gained = t.Object({
  ...common,
  owner: t.String(),
  how: t.Union([
    t.Literal('handed over'),
    t.Literal('given the role'),
    t.Literal('by an operator'),
    t.Literal('last owner deleted'),
  ]),
  at: t.String(),
})

/** It also reaches an owner who has handed the organization over. */
export const ownerGainedMail = defineMail('organizations.owner-gained', Gained, {
  en: ({ organization, url, by, owner, how, at }) => ({
    subject: `${organization} has a new owner`,
    body: [
      paragraph(
        {
          'handed over': `${by || 'An owner'} has handed ${organization} over to ${owner}, who is its owner now.`,
          'given the role': `${by || 'An owner'} has made ${owner} an owner of ${organization}.`,
          'by an operator': `An operator of this service has made ${owner} an owner of ${organization}.`,
          'last owner deleted': `The account of the last owner of ${organization} was deleted. ${owner} is the owner now.`,
        }[how],
      ),
      paragraph(
        'Owners decide who is a member and what the organization asks of its members. They can close it.',
      ),
      detailList([['When', moment('en', at)]]),
      actionButton('Open the members', url),
    ],
    note: 'If you didn’t expect this, ask the other owners. If it says that you did this and you didn’t, another person is using your account: reset your password on the sign-in page, and then sign out everywhere.',
  }),
  ko: ({ organization, url, by, owner, how, at }) => ({
    subject: `${organization} 조직에 새 소유자가 있습니다`,
    body: [
      paragraph(
        {
          'handed over': `${by || '소유자'} 님이 ${organization} 조직을 ${owner} 님에게 넘겼습니다. 이제 ${owner} 님이 소유자입니다.`,
          'given the role': `${by || '소유자'} 님이 ${owner} 님을 ${organization} 조직의 소유자로 지정했습니다.`,
          'by an operator': `서비스 운영자가 ${owner} 님을 ${organization} 조직의 소유자로 지정했습니다.`,
          'last owner deleted': `${organization} 조직의 마지막 소유자의 계정이 삭제되었습니다. 이제 ${owner} 님이 소유자입니다.`,
        }[how],
      ),
      paragraph(
        '소유자는 구성원과 조직이 구성원에게 요구하는 조건을 정하고, 조직을 닫을 수 있습니다.',
      ),
      detailList([['시각', moment('ko', at)]]),
      actionButton('구성원 열기', url),
    ],
    note: '예상하지 못한 변경이라면 다른 소유자에게 확인하세요. 회원님이 했다고 되어 있지만 하지 않으셨다면 다른 사람이 계정을 사용하고 있는 것입니다. 로그인 화면에서 비밀번호를 재설정한 뒤 모든 기기에서 로그아웃해 주세요.',
  }),
})

const Closed = t.Object({
  ...common,
  isByOperator: t.Boolean(),
  purgeAt: t.String(),
})

export const closedMail = defineMail('organizations.closed', Closed, {
  en: ({ organization, url, by, isByOperator, purgeAt }) => ({
    subject: `${organization} is closed`,
    body: isByOperator
      ? [
          paragraph(
            `An operator of this service has closed ${organization}. Its members can’t use it any more.`,
          ),
          paragraph(
            `It is deleted on ${day('en', purgeAt)}, unless an operator opens it again. Owners can’t open it.`,
          ),
        ]
      : [
          paragraph(
            `${by || 'An owner'} has closed ${organization}. Its members can’t use it any more.`,
          ),
          paragraph(
            `Owners can open it again until ${day('en', purgeAt)}. Then it is deleted with all that belongs to it.`,
          ),
          actionButton('Open your organizations', url),
        ],
    note: isByOperator
      ? 'If you have questions, contact the support of this service.'
      : 'If you want to keep it, open it again and ask the other owners.',
  }),
  ko: ({ organization, url, by, isByOperator, purgeAt }) => ({
    subject: `${organization} 조직이 닫혔습니다`,
    body: isByOperator
      ? [
          paragraph(
            `서비스 운영자가 ${organization} 조직을 닫았습니다. 구성원은 더 이상 이 조직을 쓸 수 없습니다.`,
          ),
          paragraph(
            `운영자가 다시 열지 않으면 ${day('ko', purgeAt)}에 삭제됩니다. 소유자는 다시 열 수 없습니다.`,
          ),
        ]
      : [
          paragraph(
            `${by || '소유자'} 님이 ${organization} 조직을 닫았습니다. 구성원은 더 이상 이 조직을 쓸 수 없습니다.`,
          ),
          paragraph(
            `소유자는 ${day('ko', purgeAt)}까지 다시 열 수 있습니다. 그 뒤에는 조직에 속한 모든 것과 함께 삭제됩니다.`,
          ),
          actionButton('조직 목록 열기', url),
        ],
    note: isByOperator
      ? '궁금한 점은 이 서비스의 고객 지원에 문의하세요.'
      : '조직을 계속 쓰려면 다시 열고 다른 소유자에게 확인하세요.',
  }),
})

const Reopened = t.Object({ ...common, isByOperator: t.Boolean() })

export const reopenedMail = defineMail('organizations.reopened', Reopened, {
  en: ({ organization, url, by, isByOperator }) => ({
    subject: `${organization} is open again`,
    body: [
      paragraph(
        `${isByOperator ? 'An operator of this service' : by || 'An owner'} has opened ${organization} again. Its members can use it as before.`,
      ),
      actionButton('Open the organization', url),
    ],
  }),
  ko: ({ organization, url, by, isByOperator }) => ({
    subject: `${organization} 조직이 다시 열렸습니다`,
    body: [
      paragraph(
        `${isByOperator ? '서비스 운영자가' : `${by || '소유자'} 님이`} ${organization} 조직을 다시 열었습니다. 구성원은 전과 같이 쓸 수 있습니다.`,
      ),
      actionButton('조직 열기', url),
    ],
  }),
})

const Connected = t.Object({
  ...common,
  /** What the client calls itself. */
  clientName: t.String(),
  roles: t.Array(t.String()),
  at: t.String(),
})

export const agentConnectedMail = defineMail('organizations.agent-connected', Connected, {
  en: ({ organization, url, by, clientName, roles, at }) => ({
    subject: `An agent was connected to ${organization}`,
    body: [
      paragraph(
        `${by || 'A member'} has allowed a program to act in ${organization}. It has an account of its own, which stays if this member leaves.`,
      ),
      detailList([
        ['It calls itself', clientName],
        ['Its roles', listed('en', roles)],
        ['When', moment('en', at)],
      ]),
      actionButton('Open the organization', url),
    ],
    note: 'If you don’t know this program, ask the member. Members who may manage machines can end its access.',
  }),
  ko: ({ organization, url, by, clientName, roles, at }) => ({
    subject: `${organization} 조직에 에이전트가 연결되었습니다`,
    body: [
      paragraph(
        `${by || '구성원'} 님이 프로그램이 ${organization} 조직에서 작업하도록 허용했습니다. 이 프로그램은 자체 계정을 가지며, 이 구성원이 나가도 남습니다.`,
      ),
      detailList([
        ['프로그램 이름', clientName],
        ['역할', listed('ko', roles)],
        ['시각', moment('ko', at)],
      ]),
      actionButton('조직 열기', url),
    ],
    note: '모르는 프로그램이라면 이 구성원에게 확인하세요. 프로그램을 관리할 수 있는 구성원이 접근을 끝낼 수 있습니다.',
  }),
})

const Proved = t.Object({
  ...common,
  domain: t.String(),
  roles: t.Array(t.String()),
  at: t.String(),
})

export const domainProvedMail = defineMail('organizations.domain-proved', Proved, {
  en: ({ organization, url, by, domain, roles, at }) => ({
    subject: `People at ${domain} can join ${organization}`,
    body: [
      paragraph(
        `${by || 'A member'} has proved this domain. Everyone who has an address there can join ${organization} without an invitation.`,
      ),
      detailList([
        ['The domain', domain],
        ['Their roles', listed('en', roles)],
        ['When', moment('en', at)],
      ]),
      actionButton('Open the organization', url),
    ],
    note: 'If the domain isn’t yours, remove it. It stays if this member leaves.',
  }),
  ko: ({ organization, url, by, domain, roles, at }) => ({
    subject: `${domain} 주소를 쓰는 사람이 ${organization} 조직에 참여할 수 있습니다`,
    body: [
      paragraph(
        `${by || '구성원'} 님이 이 도메인을 인증했습니다. 이 도메인의 주소가 있는 사람은 초대 없이 ${organization} 조직에 참여할 수 있습니다.`,
      ),
      detailList([
        ['도메인', domain],
        ['역할', listed('ko', roles)],
        ['시각', moment('ko', at)],
      ]),
      actionButton('조직 열기', url),
    ],
    note: '조직의 도메인이 아니라면 삭제하세요. 이 구성원이 나가도 도메인은 남습니다.',
  }),
})

const listed = (lang: string, roles: readonly string[]) => new Intl.ListFormat(lang).format(roles)
