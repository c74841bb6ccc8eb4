export const WORK_AND_LEARNING = `
job career profession occupation work employment: engineer teacher nurse doctor lawyer developer programmer
  designer writer artist chef manager accountant consultant scientist actor photographer pharmacist radiographer
  paramedic electrician plumber carpenter mechanic architect librarian journalist translator pilot driver waiter
  farmer banker analyst therapist researcher salesman barista intern company office firm hire promote employer
= job position role career profession occupation
= quit resign unemployed layoff fired
= salary raise wage pay
= company firm startup business employer
business entrepreneur: startup shop store company venture client customer brand launch
education study school academic: university college degree class course major exam graduate student semester phd
  master bachelor professor lecture thesis campus scholarship
= school university college
= class course lesson workshop
field subject major: math physics biology chemistry history psychology economics law medicine engineering literature
  philosophy sociology accounting nursing
language: english spanish french german italian portuguese japanese chinese mandarin korean russian arabic dutch
  swedish latin hindi
software programming: python javascript typescript java rust golang ruby php swift kotlin code app website database
  docker kubernetes react postgres api
computer device gadget electronics: laptop phone smartphone tablet watch smartwatch camera headphone monitor
  keyboard printer console drone
= phone smartphone mobile iphone android
volunteer charity community: donate fundraiser shelter nonprofit homeless foodbank cause donation
= volunteer charity donate donation fundraiser
finance money financial cost budget: salary rent loan debt saving invest mortgage tax bill price dollar euro stock
  insurance pension
= price cost dollar expensive cheap euro
goal plan dream ambition aspiration: hope aim wish intend want someday
= plan intend upcoming
achievement accomplishment success milestone: win award prize medal trophy publish complete graduate promote record
competition contest tournament: win champion race match final tourney league medal
= award prize trophy medal
= competition contest tournament tourney championship
`;
