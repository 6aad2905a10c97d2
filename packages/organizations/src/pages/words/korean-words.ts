import { koreanDomainWords } from './korean-domain-words.ts'
import type { OrganizationWords } from './organization-words.ts'

/** Korean, in the words of the account pages. A test says which sentence it lacks. */
export const koreanWords: OrganizationWords = {
  Organizations: '조직',
  'Organization: {name}': '조직: {name}',
  'All organizations': '모든 조직',
  'Create an organization': '조직 만들기',
  'What you share with the members of an organization stays in it.':
    '조직의 구성원과 공유한 내용은 그 조직 안에만 있습니다.',
  'Loading your organizations…': '조직을 불러오는 중…',
  'You are in no organization yet. Create one, or open the link of an invitation.':
    '아직 속한 조직이 없습니다. 조직을 만들거나 초대 링크를 여세요.',
  'A new organization': '새 조직',
  'You are its owner, and can invite others.':
    '회원님이 소유자가 되며 다른 사람을 초대할 수 있습니다.',
  Name: '이름',
  Create: '만들기',
  'Creating…': '만드는 중…',
  '{name} is created.': '{name} 조직을 만들었습니다.',
  'A name has 1 to 100 characters.': '이름은 1자 이상 100자 이하여야 합니다.',
  'You own as many organizations as one account may.':
    '한 계정이 소유할 수 있는 조직의 수에 도달했습니다.',
  Open: '열기',
  'Open again': '다시 열기',
  'Open {name} again, for all its members?': '모든 구성원을 위해 {name} 조직을 다시 열까요?',
  'Yes, open it': '다시 열기',
  '{name} is open again.': '{name} 조직을 다시 열었습니다.',
  'Closed. It is deleted on {day}.': '닫혔습니다. {day}에 삭제됩니다.',
  Members: '구성원',
  'Members may do what any of their roles allows, from the next request on.':
    '구성원은 가진 역할 중 하나라도 허용하는 일을 다음 요청부터 할 수 있습니다.',
  'Loading the members…': '구성원을 불러오는 중…',
  You: '나',
  '{roles} · joined {since}': '{roles} · {since} 참여',
  Done: '완료',
  Manage: '관리',
  Roles: '역할',
  'Save the roles': '역할 저장',
  Save: '저장',
  'Saving…': '저장하는 중…',
  'A member has at least one role.': '구성원에게는 역할이 하나 이상 있어야 합니다.',
  'The roles of {name} are changed.': '{name} 님의 역할을 바꾸었습니다.',
  'Make the owner': '소유자로 지정',
  'Make {name} the owner of {organization}? You become an admin.':
    '{name} 님을 {organization} 조직의 소유자로 지정할까요? 회원님은 관리자가 됩니다.',
  'Yes, hand it over': '넘겨주기',
  '{name} is the owner now.': '이제 {name} 님이 소유자입니다.',
  Remove: '내보내기',
  'Remove {name}? They lose access at once.': '{name} 님을 내보낼까요? 즉시 접근할 수 없게 됩니다.',
  'Yes, remove': '내보내기',
  '{name} is no longer a member.': '{name} 님은 더 이상 구성원이 아닙니다.',
  'Pages of members': '구성원 페이지',
  '← First page': '← 첫 페이지',
  'Next page →': '다음 페이지 →',
  Teams: '팀',
  'The members of a team have its roles in the whole organization.':
    '팀의 구성원은 조직 전체에서 팀의 역할을 갖습니다.',
  'Loading the teams…': '팀을 불러오는 중…',
  'There is no team yet.': '아직 팀이 없습니다.',
  'Without roles of its own.': '팀의 역할이 없습니다.',
  'A new team': '새 팀',
  'You add its members under Members.': '팀에 넣을 사람은 구성원 페이지에서 추가합니다.',
  'Roles of each member, in the whole organization': '조직 전체에서 각 구성원이 갖는 역할',
  'Create the team': '팀 만들기',
  'There are as many teams as an organization may have. Delete one first.':
    '조직이 가질 수 있는 팀의 수에 도달했습니다. 먼저 하나를 삭제하세요.',
  'The team {name} is created.': '{name} 팀을 만들었습니다.',
  'The team {name} is changed.': '{name} 팀을 바꾸었습니다.',
  'Name and roles': '이름과 역할',
  'Delete the team': '팀 삭제',
  'Delete the team {name}? Its members stay in the organization.':
    '{name} 팀을 삭제할까요? 팀의 구성원은 조직에 남습니다.',
  'The team {name} is deleted.': '{name} 팀을 삭제했습니다.',
  'No member is in this team yet.': '아직 이 팀에 구성원이 없습니다.',
  'Add members': '구성원 추가',
  '{roles} in this team · joined {since}': '이 팀에서 {roles} · {since} 참여',
  'Joined {since}': '{since} 참여',
  'Roles in this team alone': '이 팀에서만 갖는 역할',
  'Take {name} out of the team {team}?': '{name} 님을 {team} 팀에서 뺄까요?',
  '{name} is no longer in the team.': '{name} 님은 더 이상 이 팀에 없습니다.',
  'Leave the team {name}? You stay in the organization.':
    '{name} 팀에서 나갈까요? 조직에는 남습니다.',
  Team: '팀',
  'Add to the team': '팀에 추가',
  '{name} is in the team {team} now.': '{name} 님을 {team} 팀에 추가했습니다.',
  'This member is in as many teams as a member may be.':
    '이 구성원은 속할 수 있는 팀의 수에 도달했습니다.',
  'This team no longer exists, or you are not in it.':
    '이 팀이 더 이상 없거나 회원님이 팀에 속해 있지 않습니다.',
  'This member is in the team already.': '이 구성원은 이미 이 팀에 있습니다.',
  Invitations: '초대',
  'We email a link. With it, the person becomes a member with the roles that you choose.':
    '메일로 링크를 보냅니다. 받은 사람은 그 링크로 회원님이 고른 역할을 가진 구성원이 됩니다.',
  'Loading the invitations…': '초대를 불러오는 중…',
  'Invite someone': '초대하기',
  'The link works once, within seven days, for the account with this address.':
    '링크는 7일 안에 한 번, 이 주소의 계정에만 쓸 수 있습니다.',
  Email: '이메일',
  Invite: '초대',
  'Inviting…': '초대하는 중…',
  'Enter a valid email address, and choose a role.':
    '올바른 이메일 주소를 입력하고 역할을 고르세요.',
  'There are as many invitations or members as there may be. Cancel or remove some first.':
    '초대나 구성원의 수가 한도에 도달했습니다. 먼저 일부를 취소하거나 내보내세요.',
  'We sent an invitation to {email}.': '{email} 주소로 초대를 보냈습니다.',
  'Pending invitations': '대기 중인 초대',
  'No invitation is pending.': '대기 중인 초대가 없습니다.',
  '{roles} · invited {since} · until {day}': '{roles} · {since} 초대 · {day}까지',
  'Cancel invitation': '초대 취소',
  'Cancel the invitation? The link sent to {email} stops working.':
    '초대를 취소할까요? {email} 주소로 보낸 링크를 더 이상 쓸 수 없게 됩니다.',
  'Yes, cancel it': '초대 취소',
  'Keep it': '취소하지 않기',
  'The invitation of {email} is cancelled. Its link no longer works.':
    '{email} 주소의 초대를 취소했습니다. 링크를 더 이상 쓸 수 없습니다.',
  Invitation: '초대',
  'Sign in to accept the invitation': '초대를 수락하려면 로그인하세요',
  'Use the account with the address that the invitation was sent to.':
    '초대를 받은 주소의 계정을 쓰세요.',
  'Sign in': '로그인',
  'Create an account': '계정 만들기',
  'You are invited to an organization': '조직에 초대되었습니다',
  'You are signed in as {as}. Its members can see this address.':
    '{as} 계정으로 로그인되어 있습니다. 조직의 구성원은 이 주소를 볼 수 있습니다.',
  Join: '참여하기',
  'Joining…': '참여하는 중…',
  'This invitation does not work': '이 초대는 쓸 수 없습니다',
  'You are signed in as {as}. An invitation works only for the account with the address that it was sent to.':
    '{as} 계정으로 로그인되어 있습니다. 초대는 초대를 받은 주소의 계정에만 쓸 수 있습니다.',
  'Use another account': '다른 계정 사용',
  'Otherwise it was used or cancelled, or has expired. Ask the person who invited you for another one.':
    '그렇지 않다면 초대가 이미 사용되었거나 취소되었거나 만료되었습니다. 초대한 사람에게 다시 요청하세요.',
  'Opening the link changes nothing. You are a member when you choose to join.':
    '링크를 열기만 해서는 아무것도 바뀌지 않습니다. 참여하기를 눌러야 구성원이 됩니다.',
  'You can leave the organization at any time, under its settings.':
    '조직의 설정에서 언제든지 나갈 수 있습니다.',
  'A role is a set of permissions in this organization.':
    '역할은 이 조직에서 쓰는 권한의 모음입니다.',
  'Loading the roles…': '역할을 불러오는 중…',
  'A new role': '새 역할',
  'It can allow no more than your own roles do.':
    '회원님의 역할이 허용하는 것까지만 허용할 수 있습니다.',
  'built-in': '기본',
  'Only what every member may do.': '모든 구성원이 할 수 있는 일만 할 수 있습니다.',
  'Everything in the organization.': '조직의 모든 일을 할 수 있습니다.',
  'Display name': '표시 이름',
  'For people, such as Accountant.': '사람에게 보이는 이름입니다. 예: 회계 담당',
  'For programs, such as accountant. It stays.':
    '프로그램이 쓰는 영문 이름입니다. 나중에 바꿀 수 없습니다.',
  'A display name has 1 to 100 characters.': '표시 이름은 1자 이상 100자 이하여야 합니다.',
  'A name has 2 to 40 of a–z, 0–9, “_” and “-”, and begins with a letter.':
    '이름은 영문 소문자로 시작해야 하고, 영문 소문자, 숫자, “_”, “-”를 2자 이상 40자까지 쓸 수 있습니다.',
  'There are as many roles as an organization may have. Delete one first.':
    '조직이 가질 수 있는 역할의 수에 도달했습니다. 먼저 하나를 삭제하세요.',
  'Create the role': '역할 만들기',
  'The role {name} is created.': '{name} 역할을 만들었습니다.',
  'The role {name} is changed.': '{name} 역할을 바꾸었습니다.',
  'Delete the role': '역할 삭제',
  'Delete the role {name}? Members who have no other role have the role Member then.':
    '{name} 역할을 삭제할까요? 다른 역할이 없는 구성원은 구성원 역할을 갖게 됩니다.',
  'Yes, delete it': '역할 삭제',
  'The role {name} is deleted.': '{name} 역할을 삭제했습니다.',
  Settings: '설정',
  'The organization, what it asks of its members, and how you leave or close it.':
    '조직의 이름과 정책을 바꾸거나, 조직에서 나가거나, 조직을 닫습니다.',
  'Loading the settings…': '설정을 불러오는 중…',
  'Name and address': '이름과 주소',
  Address: '주소',
  'Part of the address of its pages. Links with the old one stop working.':
    '조직 페이지 주소의 일부입니다. 바꾸면 이전 주소의 링크는 쓸 수 없습니다.',
  'A name has 1 to 100 characters, and an address 2 to 48 of a–z, 0–9 and hyphens.':
    '이름은 1자 이상 100자 이하, 주소는 영문 소문자, 숫자, 하이픈으로 2자 이상 48자 이하여야 합니다.',
  'The name and the address are saved.': '이름과 주소를 저장했습니다.',
  Membership: '소속',
  'This organization is your own. It has no other members, and is deleted with your account.':
    '회원님 개인의 조직입니다. 다른 구성원이 없으며, 계정과 함께 삭제됩니다.',
  Leave: '나가기',
  'You lose access at once. What you wrote stays.':
    '즉시 접근할 수 없게 됩니다. 작성한 내용은 남습니다.',
  'Leave {name}? You need an invitation to come back, unless you may join by a domain.':
    '{name} 조직에서 나갈까요? 조직의 도메인으로 참여할 수 없다면 다시 들어올 때 초대가 필요합니다.',
  'Yes, leave': '나가기',
  'You have left {name}.': '{name} 조직에서 나갔습니다.',
  'Hand over': '소유권 넘겨주기',
  'Another member becomes the owner in your place. You become an admin.':
    '다른 구성원이 소유자가 되고 회원님은 관리자가 됩니다.',
  'Choose a member': '구성원 선택',
  'Close the organization': '조직 닫기',
  'No member can use it any more. It is deleted later, and until then an owner can open it again.':
    '어떤 구성원도 쓸 수 없게 됩니다. 나중에 삭제되며, 그 전까지 소유자가 다시 열 수 있습니다.',
  Close: '닫기',
  'Close {name} for all its members?': '모든 구성원에게 {name} 조직을 닫을까요?',
  'Yes, close it': '조직 닫기',
  '{name} is closed.': '{name} 조직을 닫았습니다.',
  'An organization keeps at least one owner. Make another member an owner first, or close the organization.':
    '조직에는 소유자가 한 명 이상 있어야 합니다. 먼저 다른 구성원을 소유자로 지정하거나 조직을 닫으세요.',
  'You can’t give or take more than your own roles allow.':
    '회원님의 역할이 허용하는 것보다 많은 권한은 주거나 뺄 수 없습니다.',
  'This address is already invited. Cancel that invitation first, or wait until it expires.':
    '이미 초대한 주소입니다. 먼저 그 초대를 취소하거나 만료될 때까지 기다리세요.',
  'This address is taken. Choose another one.':
    '이미 쓰이고 있는 주소입니다. 다른 주소를 고르세요.',
  'There are as many as there may be. Remove one first.':
    '한도에 도달했습니다. 먼저 하나를 삭제하세요.',
  'You are no longer a member of this organization, or it is closed.':
    '더 이상 이 조직의 구성원이 아니거나 조직이 닫혔습니다.',
  'This user is no longer a member.': '이 사용자는 더 이상 구성원이 아닙니다.',
  'One of these roles no longer exists.': '이 역할 중 하나가 더 이상 없습니다.',
  'A role has this name already. Choose another name.':
    '같은 이름의 역할이 이미 있습니다. 다른 이름을 정하세요.',
  'This invitation was accepted or cancelled, or has expired.':
    '이 초대는 수락되었거나 취소되었거나 만료되었습니다.',
  'Nothing was done. Your roles no longer allow it, or this page was open for too long. Reload it.':
    '아무것도 하지 않았습니다. 회원님의 역할이 더 이상 허용하지 않거나 페이지를 너무 오래 열어 두었습니다. 새로 고치세요.',
  'You are a member, but this organization asks for more first.':
    '회원님은 구성원이지만, 이 조직은 먼저 다음을 요구합니다.',
  'What to do': '할 일',
  'Sign in again': '다시 로그인',
  'It is too long since you signed in on this device, or used it.':
    '이 기기에서 로그인하거나 사용한 지 너무 오래되었습니다.',
  'Use an address of this organization': '이 조직의 주소 사용',
  'Your account has no address of its domains.':
    '회원님의 계정에는 이 조직 도메인의 주소가 없습니다.',
  'Change the address': '주소 변경',
  'Set up a second factor': '2단계 인증 설정',
  'Your account has none.': '회원님의 계정에 아직 설정되어 있지 않습니다.',
  'Set up': '설정하기',
  'Sign in in another way': '다른 방법으로 로그인',
  'This organization allows: {ways}.': '이 조직이 허용하는 방법: {ways}',
  'This organization asks for a second factor from {day} on.':
    '이 조직은 {day}부터 2단계 인증을 요구합니다.',
  'A policy of the organization does not allow it. Reload the page to see what it asks for.':
    '조직의 정책이 허용하지 않습니다. 페이지를 새로 고쳐 무엇을 요구하는지 확인하세요.',
  Policies: '정책',
  'What members have to meet, from their next request on. Until then, they see what to do and nothing else.':
    '구성원이 다음 요청부터 갖추어야 하는 조건입니다. 갖추기 전에는 무엇을 해야 하는지만 볼 수 있습니다.',
  'Ask for a second factor': '2단계 인증 요구',
  'Days that members have to set it up': '설정할 수 있는 기간(일)',
  'Enter a number from 0 to 30.': '0부터 30까지의 숫자를 입력하세요.',
  'For those who are members now. New members need it at once.':
    '지금의 구성원에게 주는 기간입니다. 새 구성원은 바로 필요합니다.',
  'It is asked from {day} on. Leave this empty to keep that day.':
    '{day}부터 요구합니다. 그 날을 그대로 두려면 비워 두세요.',
  'Ways to sign in': '로그인 방법',
  'If you choose none, every way is allowed.': '아무것도 고르지 않으면 모든 방법을 허용합니다.',
  'Further ways can’t be shown now. The code of the error is {code}.':
    '지금은 다른 방법을 표시할 수 없습니다. 오류 코드는 {code}입니다.',
  'Enter a number from 1 to 2,160.': '1부터 2,160까지의 숫자를 입력하세요.',
  'Hours until members sign in again': '다시 로그인하기까지의 시간',
  'Counted from when the device signed in. Empty sets no limit.':
    '기기에서 로그인한 때부터 셉니다. 비워 두면 제한이 없습니다.',
  'Hours that a device may be unused': '기기를 쓰지 않아도 되는 시간',
  'After that, members sign in again. Empty sets no limit.':
    '그 후에는 다시 로그인해야 합니다. 비워 두면 제한이 없습니다.',
  'Domains of email addresses': '이메일 주소의 도메인',
  'One on each line, such as acme.example. A subdomain is another domain. Empty allows every address.':
    '한 줄에 하나씩 입력하세요. 예: acme.example. 하위 도메인은 다른 도메인입니다. 비워 두면 모든 주소를 허용합니다.',
  'These members have another address: {list}.': '다음 구성원은 다른 주소를 씁니다: {list}.',
  'These members have another address: {list}, and {count} more.':
    '다음 구성원은 다른 주소를 씁니다: {list} 외 {count}명.',
  'Only the first {count} members were looked at.': '처음 {count}명의 구성원만 확인했습니다.',
  'Enter domains such as acme.example, at most 50.':
    'acme.example과 같은 도메인을 50개까지 입력하세요.',
  'Save the policies': '정책 저장',
  'The policies are saved.': '정책을 저장했습니다.',
  'Nothing was saved, because you don’t meet this yourself. Do this first:':
    '회원님 자신이 이 조건을 갖추지 않아 저장하지 않았습니다. 먼저 다음을 하세요.',
  Audit: '감사 기록',
  'Who did what in this organization, the newest first.':
    '이 조직에서 누가 무엇을 했는지 최근 것부터 보여 줍니다.',
  'Loading the trail…': '기록을 불러오는 중…',
  'Pages of the trail': '기록 페이지',
  'The trail has nothing like that.': '그런 기록이 없습니다.',
  'Nothing was done in this organization yet.': '아직 이 조직에서 한 일이 없습니다.',
  Acts: '기록',
  What: '한 일',
  All: '전체',
  Search: '검색',
  'Only what {person} did.': '{person} 님이 한 일만 보입니다.',
  'Show what all have done': '모두가 한 일 보기',
  Refused: '거부됨',
  'By an operator': '운영자가 함',
  'by {person}': '{person} 님이 함',
  'to {person}': '대상: {person}',
  'a former member': '이전 구성원',
  Details: '자세히',
  When: '시각',
  Act: '코드',
  By: '한 사람',
  'To whom or what': '대상',
  'Organization created': '조직 생성',
  'Organization imported': '조직 가져오기',
  'Name or address changed': '이름 또는 주소 변경',
  'Policies changed': '정책 변경',
  'Organization closed': '조직 닫음',
  'Organization opened again': '조직 다시 열림',
  'Owner added': '소유자 추가',
  'Organization handed over': '소유권 넘김',
  'Member added': '구성원 추가',
  'Roles of a member changed': '구성원의 역할 변경',
  'Member left or removed': '구성원이 나가거나 내보내짐',
  'Role created': '역할 생성',
  'Role changed': '역할 변경',
  'Role deleted': '역할 삭제',
  'Team created': '팀 생성',
  'Team changed': '팀 변경',
  'Team deleted': '팀 삭제',
  'Member added to a team': '팀에 구성원 추가',
  'Roles in a team changed': '팀 안의 역할 변경',
  'Member left a team or was removed from it': '구성원이 팀에서 나가거나 빠짐',
  'Invitation sent': '초대 보냄',
  'Invitation cancelled': '초대 취소',
  'Service account created': '서비스 계정 생성',
  'Service account changed': '서비스 계정 변경',
  'Service account deleted': '서비스 계정 삭제',
  'Machine key added': '프로그램 키 추가',
  'Machine key revoked': '프로그램 키 폐기',
  'Agent connected': '에이전트 연결',
  After: '변경 후',
  Before: '변경 전',
  Changed: '변경',
  'Client id': '클라이언트 ID',
  Client: '클라이언트',
  'Invited by': '초대한 사람',
  Key: '키',
  Permissions: '권한',
  Role: '역할',
  Source: '출처',
  'Loading your invitation…': '초대를 불러오는 중…',
  '{address} is invited to {organization}, with these roles: {roles}.':
    '{address} 님이 {organization} 조직에 초대되었습니다. 역할: {roles}.',
  Machines: '프로그램',
  'Programs that work for the organization: your own with a key, and agents of others.':
    '조직을 위해 일하는 프로그램입니다. 키를 가진 자체 프로그램과 외부 에이전트가 있습니다.',
  'Loading the machines…': '프로그램을 불러오는 중…',
  'A new service account': '새 서비스 계정',
  'A program acts with it, under a name and with roles of its own.':
    '프로그램은 이 계정의 이름과 역할로 일합니다.',
  'A name has 1 to 100 characters. Choose a role too.':
    '이름은 1자 이상 100자 이하여야 합니다. 역할도 고르세요.',
  'No program works for it yet.': '아직 일하는 프로그램이 없습니다.',
  'There are as many service accounts as an organization may have. Delete one first.':
    '조직이 가질 수 있는 서비스 계정의 수에 도달했습니다. 먼저 하나를 삭제하세요.',
  'Create the account': '서비스 계정 만들기',
  '{name} is created. Add the key of the program under Manage.':
    '{name} 계정을 만들었습니다. 관리에서 프로그램의 키를 추가하세요.',
  '{name} is changed.': '{name} 계정을 바꾸었습니다.',
  '{roles} · keys: {keys}': '{roles} · 키 {keys}개',
  Agent: '에이전트',
  'Client {client}, which showed a code. It may: {scopes}':
    '코드를 표시한 클라이언트 {client}. 허용된 작업: {scopes}',
  'Client {client} of {host}. It may: {scopes}':
    '클라이언트 {client} ({host}). 할 수 있는 일: {scopes}',
  'Made {since}.': '{since} 만들었습니다.',
  'Made {since} by {person}.': '{since} {person} 님이 만들었습니다.',
  'Not used yet.': '아직 사용하지 않았습니다.',
  'Last used {since}.': '마지막 사용: {since}.',
  'Delete the account': '계정 삭제',
  'Delete {name}? Its keys and its access end at once.':
    '{name} 계정을 삭제할까요? 키와 접근 권한이 즉시 사라집니다.',
  'Yes, delete the account': '계정 삭제',
  '{name} is deleted.': '{name} 계정을 삭제했습니다.',
  'This service account no longer exists.': '이 서비스 계정이 더 이상 없습니다.',
  'Keys of the program': '프로그램의 키',
  'Key {key}.': '키 {key}.',
  'It expires on {day}.': '{day}에 만료됩니다.',
  Replace: '교체',
  Revoke: '폐기',
  'Revoke the key {name}? Its next request is refused.':
    '{name} 키를 폐기할까요? 다음 요청부터 거부됩니다.',
  'Yes, revoke it': '폐기하기',
  'The key {name} is revoked. Its next request is refused.':
    '{name} 키를 폐기했습니다. 다음 요청부터 거부됩니다.',
  'When the new key is added, the key {name} ends.': '새 키를 추가하면 {name} 키는 폐기됩니다.',
  'The key {name} has not ended. While it is in the list, it works: revoke it.':
    '{name} 키는 아직 폐기되지 않았습니다. 목록에 있는 동안은 작동하므로 폐기하세요.',
  'The key is added.': '키를 추가했습니다.',
  'Add the key': '키 추가',
  'Replace the key': '키 교체',
  'Copy these into the settings of the program:': '다음 값을 프로그램의 설정에 복사하세요:',
  Organization: '조직',
  ...koreanDomainWords,
  fromApi: {
    'Change the policies': '정책 변경',
    password: '비밀번호',
    code: '메일로 받은 코드',
    passkey: '패스키',
    Owner: '소유자',
    Admin: '관리자',
    Member: '구성원',
    'Change the name': '이름 변경',
    'Close the organization': '조직 닫기',
    'Invite members': '구성원 초대',
    'Change the roles of members': '구성원의 역할 변경',
    'Remove members': '구성원 내보내기',
    'Manage roles': '역할 관리',
    'Manage domains': '도메인 관리',
    'Manage teams': '팀 관리',
    'Manage machines': '프로그램 관리',
    'Read the audit trail': '감사 기록 보기',
    'Connect agents': '에이전트 연결',
  },
}
