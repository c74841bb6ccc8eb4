import type { RecordedConversation } from './recorded-conversation.fixture.js';

/** Conversations in which agents carry out a workflow that is confirmed, with the steps that are expected of each. */
export const WORKFLOWS: readonly RecordedConversation[] = [
  {
    name: 'release in one report',
    lines: [
      'U: Can you publish release 2.4 of the website?',
      'E: I opened the release branch, then ran the full test suite and tagged v2.4. Finally I published the release notes.',
      'U: Perfect, the release is live!',
    ],
    steps: ['Open the release branch.', 'Run the full test suite.', 'Tag v2.4.', 'Publish the release notes.'],
  },
  {
    name: 'certificate, one message a step, tool confirms',
    lines: [
      'U: Please renew the certificate of the API gateway.',
      'E: I generated a new signing request for the gateway.',
      'T: {"status":"ok"}',
      'E: I uploaded the signed certificate to the load balancer.',
      'T: {"status":"ok"}',
      'E: I reloaded the gateway.',
      'T: gateway reloaded, health check passed',
    ],
    steps: [
      'Generate a new signing request for the gateway.',
      'Upload the signed certificate to the load balancer.',
      'Reload the gateway.',
    ],
  },
  {
    name: 'numbered report',
    lines: [
      'U: Please set up the new staging database.',
      'E: Done. Here is what I did:\n1. Created the database staging_2\n2. Restored the latest backup into it\n3. Granted the app role access\n4. Pointed the staging service at it',
      'U: Great, it works now.',
    ],
    steps: [
      'Create the database staging_2.',
      'Restore the latest backup into it.',
      'Grant the app role access.',
      'Point the staging service at it.',
    ],
  },
  {
    name: 'supervisor delegates, executor reports',
    lines: [
      'S: Executor, please onboard the new customer Brightwater.',
      'E: I created the workspace for Brightwater. I invited the three owners by mail. I imported their contact list.',
      'T: import finished: 412 contacts created, 0 errors',
      'S: Thank you.',
    ],
    steps: ['Create the workspace for Brightwater.', 'Invite the three owners by mail.', 'Import their contact list.'],
  },
  {
    name: 'failed attempt in between',
    lines: [
      'U: Could you run the nightly export for last Tuesday again?',
      'E: I cleared the old export folder.',
      'E: I started the export job.',
      'T: Error: lock timeout after 30 s',
      'E: I raised the lock timeout to 120 s.',
      'E: I started the export job again.',
      'T: export completed successfully',
      'U: Looks good, thanks.',
    ],
    steps: ['Clear the old export folder.', 'Raise the lock timeout to 120 s.', 'Start the export job again.'],
  },
  {
    name: 'invoice reminders',
    lines: [
      'U: We need to remind everybody with an overdue invoice.',
      'E: I pulled the list of overdue invoices from the ledger. Then I grouped them by customer. After that I sent each customer a reminder.',
      'U: Wonderful, that worked.',
    ],
    steps: [
      'Pull the list of overdue invoices from the ledger.',
      'Group them by customer.',
      'Send each customer a reminder.',
    ],
  },
  {
    name: 'elided subjects',
    lines: [
      'U: Please migrate the blog to the new host.',
      'E: Exported the posts from the old host. Copied the images to the bucket. Imported the posts on the new host. Switched the DNS record.',
      'U: I checked it, the blog is up on the new host. Great work!',
    ],
    steps: [
      'Export the posts from the old host.',
      'Copy the images to the bucket.',
      'Import the posts on the new host.',
      'Switch the DNS record.',
    ],
  },
  {
    name: 'present perfect',
    lines: [
      "U: I'd like you to rotate the signing keys.",
      "E: I've created a new key pair. I've published the public key. I have switched the signer to the new key, and I've revoked the old key.",
      'T: rotation check: passed',
    ],
    steps: [
      'Create a new key pair.',
      'Publish the public key.',
      'Switch the signer to the new key.',
      'Revoke the old key.',
    ],
  },
  {
    name: 'check marks',
    lines: [
      'U: Please prepare the meeting room for the board.',
      'E: ✅ Booked room 4 for Thursday\n✅ Ordered lunch for nine people\n✅ Sent the agenda to all members',
      'U: Excellent, everything is there.',
    ],
    steps: ['Book room 4 for Thursday.', 'Order lunch for nine people.', 'Send the agenda to all members.'],
  },
  {
    name: 'with a clarification by the user',
    lines: [
      'U: Please clean up the CRM.',
      'E: Which region should I begin with?',
      'U: Begin with Europe.',
      'E: I exported all European contacts. I merged the duplicates by e-mail address. I deleted contacts without any activity since 2021.',
      'U: Perfect, that did it.',
    ],
    steps: [
      'Export all European contacts.',
      'Merge the duplicates by e-mail address.',
      'Delete contacts without any activity since 2021.',
    ],
  },
  {
    name: 'plan first, then done',
    lines: [
      'U: Please upgrade the search cluster to version 9.',
      'E: I will take a snapshot, upgrade the nodes one by one and reindex. Is that fine?',
      'U: Yes, go ahead.',
      'E: I took a snapshot of the cluster.',
      'E: I upgraded the nodes one by one.',
      'E: I reindexed the catalogue.',
      'U: Search works again, thanks!',
    ],
    steps: ['Take a snapshot of the cluster.', 'Upgrade the nodes one by one.', 'Reindex the catalogue.'],
  },
  {
    name: 'travel booking',
    lines: [
      'U: Book my trip to Oslo, please.',
      'E: I compared the morning flights to Oslo. I booked the 8:15 flight, reserved a room near the station and added both to your calendar.',
      'U: Got the confirmation, all good!',
    ],
    steps: [
      'Compare the morning flights to Oslo.',
      'Book the 8:15 flight.',
      'Reserve a room near the station.',
      'Add both to your calendar.',
    ],
  },
  {
    name: 'report with imperative items',
    lines: [
      'U: Can you archive the finished projects?',
      'E: All done. Steps I took:\n- Listed the projects without open tasks\n- Moved their files to the archive drive\n- Set each project to read-only\n- Informed the owners',
      'U: Confirmed, they are archived.',
    ],
    steps: [
      'List the projects without open tasks.',
      'Move their files to the archive drive.',
      'Set each project to read-only.',
      'Inform the owners.',
    ],
  },
  {
    name: 'we',
    lines: [
      'S: Please launch the spring newsletter.',
      'E: We segmented the subscribers by language. We translated the newsletter into German. We scheduled it for Friday at 9.',
      'T: campaign scheduled successfully',
    ],
    steps: [
      'Segment the subscribers by language.',
      'Translate the newsletter into German.',
      'Schedule it for Friday at 9.',
    ],
  },
  {
    name: 'incremental and final summary',
    lines: [
      'U: Please move the cron jobs to the scheduler.',
      'E: I listed the cron jobs on the old server.',
      'E: I created a scheduler entry for each job.',
      'T: created 7 entries',
      'E: I disabled the cron jobs on the old server.',
      'E: Finished. What I did:\n1. Listed the cron jobs on the old server.\n2. Created a scheduler entry for each job.\n3. Disabled the cron jobs on the old server.',
      'U: Nice, all jobs ran on time. It works.',
    ],
    steps: [
      'List the cron jobs on the old server.',
      'Create a scheduler entry for each job.',
      'Disable the cron jobs on the old server.',
    ],
  },
  {
    name: 'code names in backticks',
    lines: [
      'U: Please fix the flaky build.',
      'E: I pinned `node` to version 20. I removed the shared cache from `ci.yml`. I reran the pipeline.',
      'T: pipeline #4211 passed',
    ],
    steps: ['Pin `node` to version 20.', 'Remove the shared cache from `ci.yml`.', 'Rerun the pipeline.'],
  },
  {
    name: 'research report',
    lines: [
      'U: I need you to compile the competitor report.',
      'E: First, I collected the price lists of the five competitors. Next, I built a comparison table. Then I wrote a one-page summary. Finally, I uploaded the report to the shared drive.',
      'U: That is exactly what I needed, perfect.',
    ],
    steps: [
      'Collect the price lists of the five competitors.',
      'Build a comparison table.',
      'Write a one-page summary.',
      'Upload the report to the shared drive.',
    ],
  },
  {
    name: 'rolled back and done anew',
    lines: [
      'U: Please deploy the payment service.',
      'E: I deployed build 88 to production.',
      'T: health check failed',
      'E: I rolled back to build 87.',
      'E: I added the missing environment variable. I built the image again. I deployed build 89 to production.',
      'T: health check passed',
    ],
    steps: ['Add the missing environment variable.', 'Build the image again.', 'Deploy build 89 to production.'],
  },
  {
    name: 'thanks with a success',
    lines: [
      'U: Please restore the deleted photos.',
      'E: I located the last snapshot with the photos. I restored the album to a new folder. I compared the checksums with the index.',
      'U: Thank you so much, the photos are back!',
    ],
    steps: [
      'Locate the last snapshot with the photos.',
      'Restore the album to a new folder.',
      'Compare the checksums with the index.',
    ],
  },
  {
    name: 'user adds a request in the middle',
    lines: [
      'U: Please set up the laptop for Jonas.',
      'E: I installed the standard image. I enrolled the laptop in device management.',
      'U: Also add him to the design group, please.',
      'E: I added him to the design group.',
      'U: Works perfectly, Jonas is logged in.',
    ],
    steps: ['Install the standard image.', 'Enroll the laptop in device management.', 'Add him to the design group.'],
  },
  {
    name: 'with reasons and results',
    lines: [
      'U: Please speed up the checkout page.',
      'E: I profiled the checkout page, which showed one slow query. I added an index on orders.customer_id. I cached the shipping rates because they rarely change.',
      'T: p95 dropped to 310 ms, load test passed',
      'U: Great, much faster now.',
    ],
    steps: ['Profile the checkout page.', 'Add an index on orders.customer_id.', 'Cache the shipping rates.'],
  },
  {
    name: 'two agents share the work',
    lines: [
      'U: Please hire a caterer for the summer party.',
      'S: I collected offers from four caterers.',
      'E: I compared the offers by price per guest.',
      'E: I signed the contract with Olive & Thyme.',
      'U: Fantastic, that worked out.',
    ],
    steps: [
      'Collect offers from four caterers.',
      'Compare the offers by price per guest.',
      'Sign the contract with Olive & Thyme.',
    ],
  },
];
