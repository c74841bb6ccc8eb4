import type { RecordedConversation } from './recorded-conversation.fixture.js';

/** Written after the rules had been changed for `UNSEEN_CONVERSATIONS`. */
export const LATER_CONVERSATIONS: readonly RecordedConversation[] = [
  {
    name: 'wedding playlist',
    lines: [
      'U: Please get the playlist for the wedding ready.',
      'E: I collected the wishes of the guests from the form. I removed explicit songs. I sorted the songs by tempo and exported the list to the DJ.',
      'U: The DJ has it, looks good.',
    ],
    steps: [
      'Collect the wishes of the guests from the form.',
      'Remove explicit songs.',
      'Sort the songs by tempo.',
      'Export the list to the DJ.',
    ],
  },
  {
    name: 'feature flag',
    lines: [
      'S: Could you roll out the new search to everybody?',
      'E: Raised the flag to 10 percent. Watched the error rate for an hour. Raised the flag to 100 percent. Deleted the old code path.',
      'T: flag search_v2: 100% - ok',
    ],
    steps: [
      'Raise the flag to 10 percent.',
      'Watch the error rate for an hour.',
      'Raise the flag to 100 percent.',
      'Delete the old code path.',
    ],
  },
  {
    name: 'tax return',
    lines: [
      'U: I want you to file my VAT return for Q3.',
      'E: I have gathered the invoices of July to September.',
      'E: I have summed up the input tax.',
      'E: I have submitted the return through the tax portal.',
      'T: submission accepted, receipt 99-12',
      'U: Great job!',
    ],
    steps: [
      'Gather the invoices of July to September.',
      'Sum up the input tax.',
      'Submit the return through the tax portal.',
    ],
  },
  {
    name: 'lab samples',
    lines: [
      'U: Please ship the samples to the partner lab.',
      'E: The samples are on their way. What I did: I labelled the tubes, I packed them in dry ice and I booked the courier.',
      'U: They arrived, perfect.',
    ],
    steps: ['Label the tubes.', 'Pack them in dry ice.', 'Book the courier.'],
  },
  {
    name: 'wifi',
    lines: [
      'U: Our guest wifi needs a new password. Please change it.',
      'E: I logged in to the controller, changed the password of the guest network and printed new cards for the reception.',
      'U: Works, guests can log in.',
    ],
    steps: [
      'Log in to the controller.',
      'Change the password of the guest network.',
      'Print new cards for the reception.',
    ],
  },
  {
    name: 'data request',
    lines: [
      'U: Please answer the data subject request of Mr Kim.',
      'E: I verified his identity by video call. I exported his records from the CRM. I sent him the archive by encrypted mail.',
      'U: He confirmed that he received it, all good.',
    ],
    steps: [
      'Verify his identity by video call.',
      'Export his records from the CRM.',
      'Send him the archive by encrypted mail.',
    ],
  },
  {
    name: 'docs site',
    lines: [
      'U: Can you add the new section to the docs site?',
      'E: 1. Created the page\n2. Linked it from the menu\n3. Rebuilt the site',
      'T: build ok',
      'U: I can see it, thanks.',
    ],
    steps: ['Create the page.', 'Link it from the menu.', 'Rebuild the site.'],
  },
  {
    name: 'bike',
    lines: [
      'U: Please arrange the repair of my bike.',
      'E: I called three workshops. I chose the one with the earliest date. I dropped the bike off there.',
      'U: The bike is fixed. Excellent.',
    ],
    steps: ['Call three workshops.', 'Choose the one with the earliest date.', 'Drop the bike off there.'],
  },
  {
    name: 'status of others',
    lines: [
      'U: Please give me the status of the migration.',
      'E: The team exported the tables. The team imported them. We are done by Friday.',
      'U: Perfect, thanks.',
    ],
    steps: [],
  },
  {
    name: 'history of the service',
    lines: [
      'U: Please look up what happened to the payment service.',
      'E: In March we moved it to Go. In April we added retries. In May we split the database.',
      'U: Excellent, that helps.',
    ],
    steps: [],
  },
  {
    name: 'test that did not pass in the end',
    lines: [
      'U: Please make the tests green.',
      'E: I updated the snapshot. I fixed two imports. I reran the suite.',
      'T: 3 failed, 120 passed',
    ],
    steps: [],
  },
  {
    name: 'user thanks for a plan',
    lines: [
      'U: Please plan the trip.',
      'E: Day 1: arrived in Rome. Day 2: visited the forum. Day 3: returned home.',
      'U: Perfect, works for me.',
    ],
    steps: [],
  },
  {
    name: 'CV',
    lines: [
      'U: Please improve my CV.',
      'E: - Led a team of five\n- Reduced costs by 20 percent\n- Launched three products',
      'U: Excellent, perfect!',
    ],
    steps: [],
  },
  {
    name: 'customer review',
    lines: [
      'U: Please show me the latest review.',
      'E: A customer writes: I opened the box. I assembled the shelf. I returned it.',
      'U: Perfect.',
    ],
    steps: [],
  },
  {
    name: 'asked for permission',
    lines: [
      'U: Please delete the old accounts.',
      'E: I listed the accounts. I checked the owners. I prepared the deletion. Shall I delete them?',
      'U: No, wait.',
    ],
    steps: [],
  },
  {
    name: 'a wish',
    lines: [
      'U: Please renew the passport.',
      'E: I wish I had booked the date, filled in the form and paid the fee.',
      'U: Perfect is different.',
    ],
    steps: [],
  },
  {
    name: 'cites the manual',
    lines: [
      'U: Please read the manual of the pump.',
      'E: According to the manual, the technician opened the lid, cleaned the filter and closed the lid.',
      'U: Great, works.',
    ],
    steps: [],
  },
  {
    name: 'user asked for a joke',
    lines: [
      'U: Tell me a joke about admins.',
      'E: I stopped the server. I restarted the server. I stopped myself.',
      'U: Brilliant!',
    ],
    steps: [],
  },
];
