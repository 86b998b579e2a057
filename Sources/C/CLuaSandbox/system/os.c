// The library os without a system: dates are in UTC, and the time is the one that the host gives,
// so that a flow gives the same results whenever it is played again. Nothing of the C library is
// asked, which would read files and depends on the locale.

#include "sandbox.h"

#include <stdio.h>
#include <string.h>

enum { DAY = 86400, EPOCH_WEEKDAY = 4 };  // the first of January 1970 was a Thursday
// Years whose seconds are far from the ends of 64 bits.
static const lua_Integer most_years = 1000000000;

typedef struct {
    lua_Integer year;
    int month, day, hour, minute, second;  // a month from 1, a day from 1
    int weekday, year_day;                 // from 0: Sunday, and the first of January
} date;

static lua_Integer floor_divide(lua_Integer a, lua_Integer b) { return a / b - (a % b < 0); }

// Days since 1970, by the proleptic Gregorian calendar:
// https://howardhinnant.github.io/date_algorithms.html
static lua_Integer days_of(lua_Integer year, int month, lua_Integer day) {
    year -= month <= 2;
    lua_Integer era = floor_divide(year, 400), of_era = year - era * 400;
    lua_Integer of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static date date_of(lua_Integer time) {
    lua_Integer days = floor_divide(time, DAY), rest = time - days * DAY, shifted = days + 719468;
    lua_Integer era = floor_divide(shifted, 146097), of_era = shifted - era * 146097;
    lua_Integer year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    lua_Integer of_year = of_era - (365 * year + year / 4 - year / 100);
    lua_Integer month = (5 * of_year + 2) / 153;
    date d = {.day = (int)(of_year - (153 * month + 2) / 5 + 1)};
    d.month = (int)(month < 10 ? month + 3 : month - 9);
    d.year = year + era * 400 + (d.month <= 2);
    d.hour = (int)(rest / 3600);
    d.minute = (int)(rest / 60 % 60);
    d.second = (int)(rest % 60);
    d.weekday = (int)(((days + EPOCH_WEEKDAY) % 7 + 7) % 7);
    d.year_day = (int)(days - days_of(d.year, 1, 1));
    return d;
}

// MARK: time, difftime

// The time of the host, in seconds; always 1970 if it gives none.
static lua_Integer now(lua_State *L) {
    STACK(L, 0, anything);
    lb_require_stack(L);
    lb_package_push(L, "now");
    if (lua_type(L, -1) == LUA_TFUNCTION) lua_call(L, 0, 1);
    lua_Number seconds = lua_tonumberx(L, -1, NULL);
    // A time that is out of range becomes none.
    lua_Integer time = seconds > -1e15 && seconds < 1e15 ? (lua_Integer)seconds : 0;
    lua_pop(L, 1);
    return time;
}

// A field of the table at 1.
static lua_Integer field(lua_State *L, int table, const char *name, lua_Integer otherwise) {
    STACK(L, 0, anything);
    enum { LARGEST = 1 << 30 };
    lua_pushstring(L, name);
    int type = lua_rawget(L, table), is_whole;
    if (type == LUA_TSTRING) numeral_check(L, -1);
    lua_Integer value = lua_tointegerx(L, -1, &is_whole);
    lua_pop(L, 1);
    if (!is_whole) {
        if (type != LUA_TNIL) return luaL_error(L, "field '%s' is not an integer", name);
        if (otherwise < 0) return luaL_error(L, "field '%s' missing in date table", name);
        return otherwise;
    }
    if (value < -LARGEST || value > LARGEST)
        return luaL_error(L, "field '%s' is out-of-bound", name);
    return value;
}

static void set_field(lua_State *L, int table, const char *name, lua_Integer value) {
    STACK(L, 0, memory);
    lua_pushstring(L, name);
    lua_pushinteger(L, value);
    lua_rawset(L, table);
}

static void set_date(lua_State *L, int table, date d) {
    STACK(L, 0, memory);
    set_field(L, table, "year", d.year);
    set_field(L, table, "month", d.month);
    set_field(L, table, "day", d.day);
    set_field(L, table, "hour", d.hour);
    set_field(L, table, "min", d.minute);
    set_field(L, table, "sec", d.second);
    set_field(L, table, "wday", d.weekday + 1);
    set_field(L, table, "yday", d.year_day + 1);
    lua_pushliteral(L, "isdst");
    lua_pushboolean(L, false);
    lua_rawset(L, table);
}

OFFERED(os_time) {
    if (lua_isnoneornil(L, 1)) {
        lua_pushinteger(L, now(L));
        return 1;
    }
    lua_settop(L, 1);
    readable kind = lb_read_push(L, 1);
    if (kind == READ_NONE) return luaL_typeerror(L, 1, "table");
    enum { TABLE = 2, NOON = 12 };
    lua_Integer year = field(L, TABLE, "year", -1), month = field(L, TABLE, "month", -1) - 1;
    lua_Integer day = field(L, TABLE, "day", -1), hour = field(L, TABLE, "hour", NOON);
    lua_Integer minute = field(L, TABLE, "min", 0), second = field(L, TABLE, "sec", 0);
    year += floor_divide(month, 12);
    month -= floor_divide(month, 12) * 12;
    lua_Integer time =
        days_of(year, (int)month + 1, 1) * DAY + (day - 1) * DAY + hour * 3600 + minute * 60
        + second;
    // Lua writes the normalized fields back.
    if (kind == READ_TABLE) set_date(L, TABLE, date_of(time));
    lua_pushinteger(L, time);
    return 1;
}

OFFERED(os_difftime) {
    numeral_check(L, 1);
    numeral_check(L, 2);
    lua_pushnumber(L, luaL_checknumber(L, 1) - luaL_checknumber(L, 2));
    return 1;
}

// MARK: date

static const char *const days[] = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December"};

// The week by ISO 8601, and the year that it belongs to.
static int iso_week(date d, lua_Integer *year) {
    int monday_based = (d.weekday + 6) % 7;
    // The week belongs to the year of its Thursday.
    date thursday = date_of((days_of(d.year, d.month, d.day) - monday_based + 3) * DAY);
    *year = thursday.year;
    return thursday.year_day / 7 + 1;
}

static void add_conversion(
    lua_State *L, luaL_Buffer *text, char conversion, date d, lua_Integer time) {
    char part[96];
    lua_Integer week_year;
    int week = iso_week(d, &week_year), twelve = d.hour % 12 == 0 ? 12 : d.hour % 12;
    int century_year = (int)(d.year - floor_divide(d.year, 100) * 100);
    long long year = d.year, week_of = week_year;
#define PUT(...) snprintf(part, sizeof part, __VA_ARGS__)
    switch (conversion) {
        case 'a': PUT("%.3s", days[d.weekday]); break;
        case 'A': PUT("%s", days[d.weekday]); break;
        case 'b': case 'h': PUT("%.3s", months[d.month - 1]); break;
        case 'B': PUT("%s", months[d.month - 1]); break;
        case 'c':
            PUT("%.3s %.3s %2d %02d:%02d:%02d %lld", days[d.weekday], months[d.month - 1], d.day,
                d.hour, d.minute, d.second, year);
            break;
        case 'C': PUT("%02lld", (long long)floor_divide(d.year, 100)); break;
        case 'd': PUT("%02d", d.day); break;
        case 'D': case 'x': PUT("%02d/%02d/%02d", d.month, d.day, century_year); break;
        case 'e': PUT("%2d", d.day); break;
        case 'F': PUT("%lld-%02d-%02d", year, d.month, d.day); break;
        case 'g': PUT("%02d", (int)(week_year - floor_divide(week_year, 100) * 100)); break;
        case 'G': PUT("%lld", week_of); break;
        case 'H': PUT("%02d", d.hour); break;
        case 'I': PUT("%02d", twelve); break;
        case 'j': PUT("%03d", d.year_day + 1); break;
        case 'm': PUT("%02d", d.month); break;
        case 'M': PUT("%02d", d.minute); break;
        case 'n': PUT("\n"); break;
        case 'p': PUT(d.hour < 12 ? "AM" : "PM"); break;
        case 'r':
            PUT("%02d:%02d:%02d %s", twelve, d.minute, d.second, d.hour < 12 ? "AM" : "PM");
            break;
        case 'R': PUT("%02d:%02d", d.hour, d.minute); break;
        case 's': PUT("%lld", (long long)time); break;
        case 'S': PUT("%02d", d.second); break;
        case 't': PUT("\t"); break;
        case 'T': case 'X': PUT("%02d:%02d:%02d", d.hour, d.minute, d.second); break;
        case 'u': PUT("%d", d.weekday == 0 ? 7 : d.weekday); break;
        case 'U': PUT("%02d", (d.year_day + 7 - d.weekday) / 7); break;
        case 'V': PUT("%02d", week); break;
        case 'w': PUT("%d", d.weekday); break;
        case 'W': PUT("%02d", (d.year_day + 7 - (d.weekday + 6) % 7) / 7); break;
        case 'y': PUT("%02d", century_year); break;
        case 'Y': PUT("%lld", year); break;
        case 'z': PUT("+0000"); break;
        case 'Z': PUT("GMT"); break;
        case '%': PUT("%%"); break;
        default:
            luaL_argerror(
                L, 1, lua_pushfstring(L, "invalid conversion specifier '%%%c'", (int)conversion));
    }
#undef PUT
    luaL_addstring(text, part);
}

OFFERED(os_date) {
    size_t length;
    const char *form = luaL_optlstring(L, 1, "%c", &length), *end = form + length;
    lua_Integer time = lua_isnoneornil(L, 2) ? now(L) : check_integer(L, 2);
    luaL_argcheck(
        L, time > -most_years * 365 * DAY && time < most_years * 365 * DAY, 2,
        "time out-of-bounds");
    date d = date_of(time);
    if (form < end && *form == '!') form++;
    if (end - form >= 2 && form[0] == '*' && form[1] == 't') {
        lua_createtable(L, 0, 9);
        set_date(L, lua_gettop(L), d);
        return 1;
    }
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (size_t i = 0; form < end; form++, i++) {
        budget_look_at(L, i);
        if (*form != '%') {
            luaL_addchar(&text, *form);
        } else {
            form++;
            add_conversion(L, &text, form < end ? *form : 0, d, time);
        }
    }
    luaL_pushresult(&text);
    return 1;
}

// MARK: The rest

OFFERED(os_getenv) {
    luaL_checkstring(L, 1);
    lua_pushnil(L);
    return 1;
}

const luaL_Reg lb_os_functions[] = {
    {"date", os_date}, {"difftime", os_difftime}, {"getenv", os_getenv}, {"time", os_time},
    {NULL, NULL},
};
