import type { OrganizationWords } from './organization-words.ts'

/** What is said of domains, and of joining by them. */
export const koreanDomainWords: OrganizationWords = {
  'Domain added': '도메인 추가',
  'Domain proved': '도메인 인증',
  'Domain removed': '도메인 삭제',
  'Proof of a domain ended': '도메인 인증 끝남',
  Domain: '도메인',
  Domains: '도메인',
  'People whose address is at a domain of the organization may join without an invitation.':
    '조직의 도메인에 주소가 있는 사람은 초대 없이 참여할 수 있습니다.',
  'Loading the domains…': '도메인을 불러오는 중…',
  'There is no domain yet.': '아직 도메인이 없습니다.',
  'A new domain': '새 도메인',
  'A record in its DNS proves that it belongs to the organization.':
    'DNS 레코드로 도메인이 조직의 것임을 인증합니다.',
  'Such as acme.example. A subdomain is another domain.':
    '예: acme.example. 하위 도메인은 다른 도메인입니다.',
  'Roles of those who join': '참여하는 사람의 역할',
  'Add the domain': '도메인 추가',
  'Adding…': '추가하는 중…',
  '{domain} is added. Set its record, and then check it.':
    '{domain} 도메인을 추가했습니다. 레코드를 설정한 다음 확인하세요.',
  'Enter a domain of your own, such as acme.example, and choose a role. Domains where everyone can get an address are refused.':
    'acme.example과 같은 자체 도메인을 입력하고 역할을 고르세요. 누구나 주소를 받을 수 있는 도메인은 쓸 수 없습니다.',
  'There are as many domains as an organization may have. Remove one first.':
    '조직이 가질 수 있는 도메인의 수에 도달했습니다. 먼저 하나를 삭제하세요.',
  '{roles} · added {since}': '{roles} · {since} 추가',
  'Waiting for the record': '레코드를 기다리는 중',
  Proved: '인증됨',
  'Record missing': '레코드 없음',
  'No longer proved': '인증 끝남',
  'Set this record with the company that hosts your DNS, and then check it.':
    'DNS를 관리하는 업체에서 이 레코드를 설정한 다음 확인하세요.',
  'The record was missing for too long. Set it again, and then check it.':
    '레코드가 너무 오래 없었습니다. 다시 설정한 다음 확인하세요.',
  'The proof ends on {day}, unless the record is back.':
    '레코드가 다시 설정되지 않으면 {day}에 인증이 끝납니다.',
  'Proved since {day}. Keep the record.': '{day}에 인증되었습니다. 레코드를 그대로 두세요.',
  'Looked up {since}.': '{since} 확인했습니다.',
  'DNS record': 'DNS 레코드',
  Type: '유형',
  Value: '값',
  'Some DNS hosts add your domain to the name themselves. Leave it out there.':
    '이름에 도메인을 자동으로 붙이는 업체도 있습니다. 그런 곳에서는 도메인을 빼고 입력하세요.',
  'Check now': '지금 확인',
  'Checking…': '확인하는 중…',
  '{domain} is proved. People with an address there may join.':
    '{domain} 도메인을 인증했습니다. 이 도메인에 주소가 있는 사람은 참여할 수 있습니다.',
  'There is no TXT record at {name} yet. It can take an hour until DNS has a new one. Check again then.':
    '아직 {name}에 TXT 레코드가 없습니다. 새 레코드가 DNS에 나타나기까지 한 시간이 걸릴 수 있습니다. 그때 다시 확인하세요.',
  'No TXT record at {name} has the value of this domain. Found: {found}. It can take an hour until DNS has a new one.':
    '{name}에 이 도메인의 값을 가진 TXT 레코드가 없습니다. 찾은 값: {found}. 새 레코드가 DNS에 나타나기까지 한 시간이 걸릴 수 있습니다.',
  'The name servers of {name} don’t answer. Try again later.':
    '{name}의 네임 서버가 응답하지 않습니다. 나중에 다시 시도하세요.',
  'Remove the domain': '도메인 삭제',
  'Remove {domain}? No one can join by it any more. Those who have joined stay.':
    '{domain} 도메인을 삭제할까요? 더 이상 이 도메인으로 참여할 수 없습니다. 이미 참여한 사람은 남습니다.',
  'Yes, remove the domain': '도메인 삭제',
  '{domain} is removed.': '{domain} 도메인을 삭제했습니다.',
  'The organization no longer has this domain.': '조직에 더 이상 이 도메인이 없습니다.',
  'The organization has this domain already. To give other roles with it, remove it first.':
    '조직에 이미 있는 도메인입니다. 다른 역할을 주려면 먼저 삭제하세요.',
  'Another organization has proved this domain. You can prove it when their record is gone for three days.':
    '다른 조직이 인증한 도메인입니다. 그 조직의 레코드가 없어지고 3일이 지나면 인증할 수 있습니다.',
  'You may join': '참여할 수 있는 조직',
  'You have an address at {domain}. Members will see it.':
    '회원님의 주소가 {domain}에 있습니다. 조직의 구성원은 이 주소를 볼 수 있습니다.',
  'You have joined {name}.': '{name} 조직에 참여했습니다.',
  'You may no longer join this organization.': '이제 이 조직에 참여할 수 없습니다.',
}
