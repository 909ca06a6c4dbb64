/* A virtual reader for pcscd that tells of cards the moment they move.
 *
 * pcscd asks a driver without a thread of its own every 400 ms whether a card is there; this one sleeps in poll()
 * and wakes pcscd at once, as a USB reader's interrupt pipe does, so that latency can be measured.
 *
 * DEVICENAME in reader.conf is "/dev/null:" (pcscd wants a file that exists there) and the path of a Unix-domain
 * socket. A card is a client of that socket: connecting is coming into the field, hanging up is leaving it. Messages, both ways: two bytes of length (big-endian) and a
 * body. To the card, a body of one byte is a control (0 power off, 1 power on, 2 reset, 4 give your ATR, which is
 * the only one answered), a longer one a command APDU, answered with the response APDU.
 *
 * The reader is unplugged while a file of the same name with ".unplugged" exists; that, too, is told at once.
 * A file of the same name with ".usb" says by two numbers at which bus and address it is plugged in.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <ifdhandler.h>
#include <libgen.h>
#include <poll.h>
#include <reader.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define READERS 16
#define MAX_BODY 65535
#define CARD_TIMEOUT_S 5

enum control { POWER_OFF = 0, POWER_ON = 1, RESET = 2, GET_ATR = 4 };

struct reader {
    int open, listener, card, leaving, wake, cable;
    char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
    UCHAR atr[MAX_ATR_SIZE];
    DWORD atr_length;
};

static struct reader readers[READERS];

static struct reader *reader_of(DWORD lun)
{
    struct reader *reader = &readers[(lun >> 16) % READERS];
    return reader->open ? reader : NULL;
}

static int unplugged(const char *path)
{
    char flag[sizeof readers->path + sizeof ".unplugged"];
    snprintf(flag, sizeof flag, "%s.unplugged", path);
    return access(flag, F_OK) == 0;
}

/* Look at the cable from now on: a watch on the directory of its flag. */
static int watch_cable(const char *path)
{
    char directory[sizeof readers->path];
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    strcpy(directory, path);
    if (watch >= 0)
        inotify_add_watch(watch, dirname(directory), IN_CREATE | IN_DELETE);
    return watch;
}

static void drop_card(struct reader *reader)
{
    if (reader->card >= 0)
        close(reader->card);
    reader->card = -1;
    reader->leaving = 0;
    reader->atr_length = 0;
}

static void let_card_in(struct reader *reader)
{
    struct timeval limit = {.tv_sec = CARD_TIMEOUT_S};
    reader->card = accept4(reader->listener, NULL, NULL, SOCK_CLOEXEC);
    if (reader->card >= 0)
        setsockopt(reader->card, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

/* Send one message in one piece, so that no delayed acknowledgement can come between length and body. */
static int tell(struct reader *reader, const UCHAR *body, size_t length)
{
    UCHAR head[2] = {(UCHAR)(length >> 8), (UCHAR)length};
    struct iovec parts[2] = {{head, 2}, {(void *)body, length}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    return sendmsg(reader->card, &message, MSG_NOSIGNAL) == (ssize_t)(length + 2) ? 0 : -1;
}

/* Receive one message; its length, or -1 when the card has gone, is too slow or says more than fits. */
static ssize_t hear(struct reader *reader, UCHAR *body, size_t room)
{
    UCHAR head[2];
    if (recv(reader->card, head, 2, MSG_WAITALL) != 2)
        return -1;
    size_t length = (size_t)head[0] << 8 | head[1];
    if (length == 0) /* asked for nothing, recv() would wait */
        return 0;
    if (length > room || recv(reader->card, body, length, MSG_WAITALL) != (ssize_t)length)
        return -1;
    return (ssize_t)length;
}

static int hung_up(int card)
{
    struct pollfd watched = {.fd = card, .events = POLLRDHUP};
    return poll(&watched, 1, 0) != 0;
}

/* pcscd's event thread sleeps here; returning makes it look at the card's presence before it comes again.
 *
 * Cards change here and nowhere else. One that has left stays, as absent, until the thread has looked once more:
 * else the next, already waiting, would be the same card to pcscd. */
static RESPONSECODE wait_for_move(DWORD lun, int timeout_ms)
{
    struct reader *reader = reader_of(lun);
    char news[4096];
    eventfd_t woken;
    if (!reader)
        return IFD_NO_SUCH_DEVICE;
    if (reader->card >= 0 && hung_up(reader->card)) {
        if (!reader->leaving) {
            reader->leaving = 1;
            return IFD_SUCCESS;
        }
        drop_card(reader);
    }
    struct pollfd watched[3] = {
        {.fd = reader->wake, .events = POLLIN},
        {.fd = reader->cable, .events = POLLIN},
        {.fd = reader->listener, .events = POLLIN},
    };
    if (reader->card >= 0) { /* POLLIN is for those who wait for its answers */
        watched[2].fd = reader->card;
        watched[2].events = POLLRDHUP;
    }
    poll(watched, unplugged(reader->path) ? 2 : 3, timeout_ms);
    eventfd_read(reader->wake, &woken);
    while (read(reader->cable, news, sizeof news) > 0)
        ;
    if (reader->card < 0)
        let_card_in(reader);
    return IFD_SUCCESS;
}

static RESPONSECODE stop_waiting(DWORD lun)
{
    struct reader *reader = reader_of(lun);
    return reader && eventfd_write(reader->wake, 1) == 0 ? IFD_SUCCESS : IFD_NO_SUCH_DEVICE;
}

RESPONSECODE IFDHCreateChannelByName(DWORD lun, LPSTR device)
{
    const char *colon = strchr(device, ':'), *path = colon ? colon + 1 : device;
    struct reader *reader = &readers[(lun >> 16) % READERS];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (reader->open || strlen(path) >= sizeof address.sun_path || unplugged(path))
        return IFD_COMMUNICATION_ERROR;
    strcpy(address.sun_path, path);
    strcpy(reader->path, path);
    unlink(path);
    reader->card = -1;
    reader->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    reader->cable = watch_cable(path);
    reader->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (reader->wake < 0 || reader->cable < 0 || reader->listener < 0
        || bind(reader->listener, (struct sockaddr *)&address, sizeof address) || listen(reader->listener, 8)) {
        fprintf(stderr, "virtual reader %s: %s\n", path, strerror(errno));
        close(reader->listener);
        close(reader->cable);
        close(reader->wake);
        return IFD_COMMUNICATION_ERROR;
    }
    reader->open = 1;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHCreateChannel(DWORD lun, DWORD channel)
{
    (void)lun, (void)channel;
    return IFD_NOT_SUPPORTED; /* the path comes by name only */
}

RESPONSECODE IFDHCloseChannel(DWORD lun)
{
    struct reader *reader = reader_of(lun);
    if (!reader)
        return IFD_COMMUNICATION_ERROR;
    drop_card(reader);
    close(reader->listener);
    close(reader->cable);
    close(reader->wake);
    unlink(reader->path);
    reader->open = 0;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHICCPresence(DWORD lun)
{
    struct reader *reader = reader_of(lun);
    if (!reader)
        return IFD_NO_SUCH_DEVICE;
    if (unplugged(reader->path))
        return IFD_COMMUNICATION_ERROR;
    return reader->card >= 0 && !hung_up(reader->card) ? IFD_ICC_PRESENT : IFD_ICC_NOT_PRESENT;
}

RESPONSECODE IFDHPowerICC(DWORD lun, DWORD action, PUCHAR atr, PDWORD atr_length)
{
    struct reader *reader = reader_of(lun);
    UCHAR control = action == IFD_POWER_DOWN ? POWER_OFF : action == IFD_RESET ? RESET : POWER_ON;
    UCHAR question = GET_ATR;
    *atr_length = 0;
    if (!reader || reader->card < 0)
        return IFD_COMMUNICATION_ERROR;
    if (tell(reader, &control, 1))
        return IFD_ERROR_POWER_ACTION;
    if (action == IFD_POWER_DOWN)
        return IFD_SUCCESS;
    ssize_t length = tell(reader, &question, 1) ? -1 : hear(reader, reader->atr, sizeof reader->atr);
    if (length <= 0)
        return IFD_ERROR_POWER_ACTION;
    *atr_length = reader->atr_length = (DWORD)length;
    memcpy(atr, reader->atr, reader->atr_length);
    return IFD_SUCCESS;
}

RESPONSECODE IFDHTransmitToICC(DWORD lun, SCARD_IO_HEADER send, PUCHAR command, DWORD command_length,
                               PUCHAR answer, PDWORD answer_length, PSCARD_IO_HEADER received)
{
    struct reader *reader = reader_of(lun);
    DWORD room = *answer_length;
    *answer_length = 0;
    if (received)
        received->Protocol = send.Protocol;
    if (!reader || reader->card < 0 || command_length > MAX_BODY || tell(reader, command, command_length))
        return IFD_COMMUNICATION_ERROR;
    ssize_t length = hear(reader, answer, room);
    if (length < 0) { /* a late answer would be taken for the next one's */
        shutdown(reader->card, SHUT_RDWR);
        return IFD_COMMUNICATION_ERROR;
    }
    *answer_length = (DWORD)length;
    return IFD_SUCCESS;
}

static RESPONSECODE give(PDWORD length, PUCHAR value, const void *what, DWORD size)
{
    if (*length < size)
        return IFD_ERROR_INSUFFICIENT_BUFFER;
    memcpy(value, what, size);
    *length = size;
    return IFD_SUCCESS;
}

/* 0020, bus and address (PC/SC part 3, attribute 0110 of communications); not told where nobody wrote it down. */
static RESPONSECODE give_usb_place(struct reader *reader, PDWORD length, PUCHAR value)
{
    char name[sizeof readers->path + sizeof ".usb"];
    unsigned bus, address;
    snprintf(name, sizeof name, "%s.usb", reader->path);
    FILE *file = fopen(name, "re");
    if (!file)
        return IFD_ERROR_TAG;
    int numbers = fscanf(file, "%u %u", &bus, &address);
    fclose(file);
    uint32_t place = 0x200000 | (bus & 0xFF) << 8 | (address & 0xFF);
    return numbers == 2 ? give(length, value, &place, sizeof place) : IFD_ERROR_TAG;
}

RESPONSECODE IFDHGetCapabilities(DWORD lun, DWORD tag, PDWORD length, PUCHAR value)
{
    static const UCHAR yes = 1, readers_at_once = READERS;
    RESPONSECODE (*function)(DWORD, int) = wait_for_move;
    RESPONSECODE (*stopper)(DWORD) = stop_waiting;
    struct reader *reader = reader_of(lun);
    switch (tag) {
    case TAG_IFD_ATR:
        return reader ? give(length, value, reader->atr, reader->atr_length) : IFD_NO_SUCH_DEVICE;
    case SCARD_ATTR_CHANNEL_ID:
        return reader ? give_usb_place(reader, length, value) : IFD_NO_SUCH_DEVICE;
    case TAG_IFD_SIMULTANEOUS_ACCESS:
        return give(length, value, &readers_at_once, 1);
    case TAG_IFD_THREAD_SAFE:
    case TAG_IFD_SLOTS_NUMBER:
        return give(length, value, &yes, 1);
    case TAG_IFD_POLLING_THREAD_WITH_TIMEOUT:
        return give(length, value, &function, sizeof function);
    case TAG_IFD_STOP_POLLING_THREAD:
        return give(length, value, &stopper, sizeof stopper);
    default:
        return IFD_ERROR_TAG;
    }
}

RESPONSECODE IFDHSetCapabilities(DWORD lun, DWORD tag, DWORD length, PUCHAR value)
{
    (void)lun, (void)tag, (void)length, (void)value;
    return IFD_ERROR_TAG;
}

RESPONSECODE IFDHSetProtocolParameters(DWORD lun, DWORD protocol, UCHAR flags, UCHAR pts1, UCHAR pts2, UCHAR pts3)
{
    (void)lun, (void)protocol, (void)flags, (void)pts1, (void)pts2, (void)pts3;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHControl(DWORD lun, DWORD code, PUCHAR sent, DWORD sent_length, PUCHAR received, DWORD room,
                         LPDWORD received_length)
{
    (void)lun, (void)code, (void)sent, (void)sent_length, (void)received, (void)room;
    *received_length = 0;
    return IFD_NOT_SUPPORTED;
}
